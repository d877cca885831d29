/** Problems that come from outside: files and texts dropped anywhere on the page, texts pasted where no field takes them. */
import type { Actions } from '../../run/actions'

const TYPING = 'input, textarea, select, [contenteditable]'

function drop(actions: Actions, data: DataTransfer | null): void {
  const files = [...(data?.files ?? [])]
  const text = data?.getData('text/plain') ?? ''
  if (files.length > 0) void actions.problem.openFiles(files)
  else if (text !== '') void actions.problem.openText(text, 'dropped.csv')
}

/** As long as the page is there. over: something that could be dropped is above it. */
export function receive(actions: Actions, over: (is: boolean) => void): void {
  window.addEventListener('dragover', (event) => {
    event.preventDefault()
    over(true)
  })
  window.addEventListener('dragleave', (event) => over(event.relatedTarget !== null))
  window.addEventListener('drop', (event) => {
    event.preventDefault()
    over(false)
    drop(actions, event.dataTransfer)
  })
  window.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text === '' || (event.target instanceof Element && event.target.matches(TYPING))) return
    event.preventDefault()
    void actions.problem.openText(text, 'pasted.csv')
  })
}
