/** Counter of the characters in a text field, shown once few are left. */
import { type Field, isScalar, kindOf, countCharacters } from '@dala/model'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'

/** Maximum length of a text, by the declaration of its field or by its kind. */
function limitOf(field: Field): number | undefined {
  const limit = isScalar(field) ? kindOf(field).schema(field).write['maxLength'] : undefined
  return typeof limit === 'number' ? limit : undefined
}

/** Share of the maximum length from which the counter is shown. */
const warningShare = 0.9

export function LengthNote({ field, text }: { field: Field; text: string }) {
  const t = useT()
  const locale = useLocale()
  const limit = limitOf(field)
  // A text has at least as many UTF-16 units as characters, so most texts need no exact count.
  const length = limit !== undefined && text.length >= limit * warningShare ? countCharacters(text) : 0
  const isNear = limit !== undefined && length >= limit * warningShare
  return (
    <output className="mt-1.5 block text-end text-sm text-muted tabular-nums empty:hidden">
      {isNear ? t('text.length', { length: formatNumber(locale, length), limit: formatNumber(locale, limit) }) : null}
    </output>
  )
}
