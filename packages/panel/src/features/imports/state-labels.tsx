/** Text for the state and the outcome of an import. */
import { choiceLabel, type ImportState, resources } from '@dala/model'
import type { Translate } from '../../lib/format.ts'
import { firstTranslation } from '../../lib/i18n.ts'
import { StatusChip, type StatusTone } from '../../ui/feedback/status-chip.tsx'

const tones: Readonly<Record<ImportState, StatusTone>> = {
  parsing: 'new',
  preview: 'waiting',
  committing: 'new',
  done: 'good',
  failed: 'bad',
  reverted: 'quiet',
}

export const stateOf = (value: unknown): ImportState =>
  resources.insert_excel.fields.state.values.find((state) => state === value) ?? 'parsing'

export function StateChip({ state }: { state: ImportState }) {
  return (
    <StatusChip tone={tones[state]}>{firstTranslation(choiceLabel(resources.insert_excel, 'state', state))}</StatusChip>
  )
}

interface Counts {
  created: number
  updated: number
}

/** Outcome of an import, as text of one line. */
export const countsText = (t: Translate, { created, updated }: Counts): string =>
  [
    ...(created > 0 ? [t('import.created', { count: created })] : []),
    ...(updated > 0 ? [t('import.updated', { count: updated })] : []),
  ].join(', ')
