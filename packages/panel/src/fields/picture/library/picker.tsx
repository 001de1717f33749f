/** Chooses pictures from the library in a dialog; its code and messages load when it first opens. */
import { useWasEverTrue } from '../../../ui/use-ever.ts'
import type { LibraryPickerProps } from './picker-dialog.tsx'
import { AwaitedPart } from '../../../ui/awaited.tsx'
import { lazyFeature } from '../../../ui/lazy-part.ts'

const PickerDialog = lazyFeature(async () => (await import('./picker-dialog.tsx')).PickerDialog)

export function LibraryPicker(props: LibraryPickerProps) {
  const wasOpened = useWasEverTrue(props.open)
  if (!wasOpened) return null
  return (
    <AwaitedPart onGiveUp={props.onClose}>
      <PickerDialog {...props} />
    </AwaitedPart>
  )
}
