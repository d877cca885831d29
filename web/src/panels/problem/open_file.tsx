import { FileButton } from '../controls/file_button'
import { useActions } from '../page/context'

const ACCEPT = '.csv,.txt,.log,.json,.tflite,.onnx,.pte,.pickle,.mlir,text/csv,text/plain,application/json'

export function OpenFile({ label, class: className }: { label: string; class: string }) {
  const actions = useActions()
  return (
    <FileButton
      label={label}
      class={className}
      accept={ACCEPT}
      take={(files) => void actions.problem.openFiles(files)}
      many
    />
  )
}
