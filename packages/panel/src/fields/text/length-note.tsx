/** How much of a text's room is taken, shown once little of it is left. */
import { type Field, isScalar, kindOf, lengthOf } from '@dala/model'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'

/** The most characters of a text, by its declaration or by its kind. */
function limitOf(field: Field): number | undefined {
  const limit = isScalar(field) ? kindOf(field).schema(field).write['maxLength'] : undefined
  return typeof limit === 'number' ? limit : undefined
}

/** The share of the room from which on the reader is told. */
const near = 0.9

export function LengthNote({ field, text }: { field: Field; text: string }) {
  const t = useT()
  const locale = useLocale()
  const limit = limitOf(field)
  // A text has at least as many units as characters: most are not near, and need not be counted.
  const length = limit !== undefined && text.length >= limit * near ? lengthOf(text) : 0
  const isNear = limit !== undefined && length >= limit * near
  return (
    <output className="mt-1.5 block text-end text-sm text-muted tabular-nums empty:hidden">
      {isNear ? t('text.length', { length: formatNumber(locale, length), limit: formatNumber(locale, limit) }) : null}
    </output>
  )
}
