/** A small strict reader of XML, enough to prove that a file is well-formed: it throws at the first thing that is not. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function plain(text: string): string {
  return text.replace(/&([^;]*);|&/g, (all, name: string | undefined) => {
    const letter = ENTITIES[name ?? '']
    if (letter === undefined) throw new Error(`no such entity: ${all}`)
    return letter
  })
}

function attributesOf(source: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  const rest = source.replace(/\s+([\w:-]+)="([^"<]*)"/g, (_, name: string, value: string) => {
    if (name in attributes) throw new Error(`an attribute twice: ${name}`)
    attributes[name] = plain(value)
    return ''
  })
  if (rest.trim() !== '') throw new Error(`no attribute: ${rest}`)
  return attributes
}

export function parseXml(source: string): XmlElement {
  for (const letter of source) {
    const code = letter.codePointAt(0) ?? 0
    const allowed = code === 9 || code === 10 || code === 13 || (code >= 32 && code < 0xd800) || code >= 0xe000
    if (!allowed || code === 0xfffe || code === 0xffff) throw new Error(`a letter that XML has no place for: ${code}`)
  }
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const body = source.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  for (const [token] of body.matchAll(/<[^>]*>|[^<]+/g)) {
    const inside = open.at(-1) ?? top
    if (!token.startsWith('<')) {
      if (token.includes('>')) throw new Error(`a bare >: ${token}`)
      inside.text += plain(token)
    } else if (token.startsWith('</')) {
      if (open.length < 2 || token !== `</${inside.name}>`) throw new Error(`${token} ends <${inside.name}>`)
      open.pop()
    } else {
      const [, name, attributes, end] = /^<([A-Za-z]\w*)((?:\s[\s\S]*?)?)(\/?)>$/.exec(token) ?? []
      if (name === undefined) throw new Error(`no tag: ${token}`)
      const made = { name, attributes: attributesOf(attributes ?? ''), children: [], text: '' }
      inside.children.push(made)
      if (end !== '/') open.push(made)
    }
  }
  const [root, second] = top.children
  if (open.length !== 1 || root === undefined || second !== undefined || top.text.trim() !== '')
    throw new Error('not one element with all in it')
  return root
}
