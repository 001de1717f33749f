/** Progress of one resource in one language: a bar, and text with the open translations. */
import type { TranslationProgress } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'

interface ProgressCellProps {
  counts: Pick<TranslationProgress, 'total' | 'current' | 'outdated' | 'missing'>
  /** Address of the work list of translations; totals have no address. */
  to?: string
}

const frame = 'grid gap-1 rounded-2 px-2.5 py-1.5'

export function ProgressCell({ counts, to }: ProgressCellProps) {
  const t = useT()
  const locale = useLocale()
  const { total, current, outdated, missing } = counts
  const content = (
    <>
      <span className="text-sm tabular-nums">
        {t('form.coverage', { filled: formatNumber(locale, current), all: formatNumber(locale, total) })}
      </span>
      <Bar counts={counts} />
      <span className="text-sm text-muted">
        {missing > 0 ? <span className="block">{t('desk.missing', { count: missing })}</span> : null}
        {outdated > 0 ? (
          <span className="block text-warning-text">{t('desk.outdated', { count: outdated })}</span>
        ) : null}
        {missing + outdated === 0 ? t(total === 0 ? 'section.none' : 'desk.done') : null}
      </span>
    </>
  )
  if (to === undefined) return <div className={frame}>{content}</div>
  return (
    <Link
      to={to}
      search={missing === 0 && outdated > 0 ? { of: 'outdated' } : {}}
      className={`${frame} transition-colors duration-(--dur-1) hover:bg-brand-soft hover:text-on-brand-soft -outline-offset-2 [&:hover_span]:text-on-brand-soft`}
    >
      {content}
    </Link>
  )
}

/**
 * Bar of translations: current ones are solid, outdated striped, missing empty. The text beside the bar says
 * the same.
 */
function Bar({ counts: { total, current, outdated } }: Pick<ProgressCellProps, 'counts'>) {
  const sizeOf = (partCount: number) => ({ inlineSize: `${total > 0 ? (partCount / total) * 100 : 0}%` })
  return (
    <span aria-hidden className="flex h-1.5 overflow-hidden rounded-full border border-line-strong">
      <i className="bg-brand-ui" style={sizeOf(current)} />
      <i
        className="bg-[repeating-linear-gradient(135deg,var(--warning)_0_3px,transparent_3px_5px)]"
        style={sizeOf(outdated)}
      />
    </span>
  )
}
