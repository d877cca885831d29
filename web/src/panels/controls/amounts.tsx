/** Amounts as the whole page writes them: in the problem's unit, with the exact bytes in a tooltip. */
import { bytesIn, exactBytes, exactly } from '../../base/format'
import { useValue } from '../../base/use_value'
import { unit } from '../../state/workbench'

export function Bytes({ value }: { value: number }) {
  const shown = useValue(unit)
  return <span title={exactBytes(value)}>{bytesIn(value, shown)}</span>
}

/** What was found or proved: never rounded. */
export function Proven({ value }: { value: number }) {
  return <>{exactly(value, useValue(unit))}</>
}
