/** The slow statements of the database: a button in its part, and the list in a dialog. */
import type { SystemState } from '@dala/model'
import { useState } from 'react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { PartButton } from './part-button.tsx'

type Slow = Extract<SystemState['database'], { state: 'answered' }>['slow']

export function SlowStatements({ slow: { limit_ms: limit, statements } }: { slow: Slow }) {
  const t = useT()
  const locale = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <PartButton onClick={() => setIsOpen(true)}>{t('system.slow.open')}</PartButton>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        isWide
        title={t('system.slow.title')}
        description={t('system.slow.about', { limit: formatNumber(locale, limit) })}
        actions={<Button onClick={() => setIsOpen(false)}>{t('action.close')}</Button>}
      >
        {statements.length === 0 ? (
          <p className="text-muted">{t('system.slow.none')}</p>
        ) : (
          <ol aria-label={t('system.slow.title')} className="divide-y divide-line border-y border-line">
            {statements.map((statement) => (
              <SlowStatementItem key={statement.text} statement={statement} />
            ))}
          </ol>
        )}
      </Dialog>
    </>
  )
}

function SlowStatementItem({ statement }: { statement: Slow['statements'][number] }) {
  const t = useT()
  const locale = useLocale()
  const milliseconds = (time: number) => t('system.slow.ms', { time: formatNumber(locale, time) })
  const { text, count, cancelled, slowest_ms, total_ms, last_at } = statement
  const figures = [
    [t('system.slow.slowest'), milliseconds(slowest_ms)],
    [t('system.slow.count'), formatNumber(locale, count)],
    [t('system.slow.total'), milliseconds(total_ms)],
    ...(cancelled > 0 ? [[t('system.slow.cancelled'), formatNumber(locale, cancelled)]] : []),
    [t('system.slow.last'), formatDateTime(last_at)],
  ]
  return (
    <li className="py-3">
      <code lang="en" dir="ltr" className="block text-sm wrap-anywhere">
        {text}
      </code>
      <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
        {figures.map(([label, value]) => (
          <div key={label} className="flex gap-1.5">
            <dt className="text-muted">{label}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
