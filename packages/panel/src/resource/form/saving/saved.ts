/** Messages after a save: that the save succeeded, what came from a colleague, and the undo. */
import { type Locale, localeNames, type Resource, type Screen } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import { nameOfPerson, messageOfFailure } from '../../../api/error-toasts.ts'
import { labelOf } from '../../../fields/field-display.tsx'
import { formatList } from '../../../lib/format.ts'
import { t, firstTranslation } from '../../../lib/i18n.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { type SavedForm, undoOf } from './save.ts'
import type { FormValues } from '../values.ts'
import { type FieldPlace, keyOfPlace } from './merge.ts'

/** Label of a saved field, with its language where it has one. */
export function labelOfPlace(resource: Resource, { field, locale }: FieldPlace): string {
  const label = labelOf(resource, field)
  return locale ? t('conflict.fieldIn', { field: label, language: localeNames[locale] }) : label
}

interface SavedOptions {
  screen: Screen
  saved: SavedForm
  isNew: boolean
  /** Values of the record on the server before the save. */
  previous: FormValues
  /** The resource with only the fields that the user may write. */
  writableResource: Resource
  language: Locale
  cache: QueryClient
}

export function showSavedRecord({
  screen,
  saved,
  isNew,
  previous,
  writableResource,
  language,
  cache,
}: SavedOptions): void {
  const messageParams = { resource: firstTranslation([`${screen.labelPrefix}.one`]) }
  const title = t(isNew ? 'message.created' : 'message.updated', messageParams)
  const revertValue = isNew ? undefined : undoOf(writableResource, previous, saved, language)
  if (revertValue) {
    const undo = async () => {
      try {
        await revertValue()
      } catch (error) {
        showToast({ kind: 'error', title: t('undo.failed'), text: messageOfFailure(error) })
        throw error
      } finally {
        await cache.invalidateQueries({ queryKey: ['resource'] })
      }
    }
    offerUndo({ title, undo })
  } else showToast({ kind: 'success', title })
  const { merged } = saved
  if (!merged || merged.mergedFields.length === 0) return
  const conflictFields = new Map(merged.mergedFields.map((fieldPlace) => [keyOfPlace(fieldPlace), fieldPlace]))
  const fields = formatList(
    t,
    [...conflictFields.values()].map((fieldPlace) => labelOfPlace(screen.resource, fieldPlace)),
  )
  const name = nameOfPerson(merged.by) ?? t('conflict.colleague')
  showToast({ kind: 'success', title: t('conflict.joined', { name }), text: fields })
}
