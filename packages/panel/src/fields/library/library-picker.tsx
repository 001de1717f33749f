/** Chooses pictures from the library in a dialog; its code and words come with its first opening. */
import { lazy, Suspense } from 'react'
import { loadFeatureWords } from '../../lib/i18n.ts'
import { useEver } from '../../ui/use-ever.ts'
import type { LibraryPickerProps } from './picker-dialog.tsx'

const PickerDialog = lazy(async () => {
  const [{ PickerDialog: Picker }] = await Promise.all([import('./picker-dialog.tsx'), loadFeatureWords()])
  return { default: Picker }
})

export function LibraryPicker(props: LibraryPickerProps) {
  const wanted = useEver(props.open)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <PickerDialog {...props} />
    </Suspense>
  )
}
