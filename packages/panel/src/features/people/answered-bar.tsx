/** Bar with the share of answered questions, below the text "182 of 190". */
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'

export function AnsweredBar({ answered, all }: { answered: number; all: number }) {
  const t = useT()
  const locale = useLocale()
  const label = t('form.coverage', { filled: formatNumber(locale, answered), all: formatNumber(locale, all) })
  return (
    <span className="grid w-[112px] gap-1">
      <span className="text-sm text-muted tabular-nums">{label}</span>
      <span aria-hidden className="block h-1 overflow-hidden rounded-1 bg-line">
        <span
          className="block h-full bg-brand-ui"
          style={{ inlineSize: `${all === 0 ? 0 : Math.round((answered / all) * 100)}%` }}
        />
      </span>
    </span>
  )
}
