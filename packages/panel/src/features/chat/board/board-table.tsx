/** Table of the board: a row for each consultant and one for the queue; pressing one shows the rooms. */
import type { DeskBoard, DeskFigures } from '@dala/model'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { fileAddress } from '../../../api/client.ts'
import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ReactNode } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { formatDateTime, formatNumber, formatSpan } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'

export interface BoardTableProps {
  board: DeskBoard
  chosen: number | null | undefined
  onChoose: (owner: number | null) => void
}

const cell = 'px-4 py-2.5 text-start align-middle'
const figure = `${cell} text-end! tabular-nums`

export function BoardTable({ board: { data, unassigned }, chosen, onChoose }: BoardTableProps) {
  const t = useT()
  return (
    <Sheet>
      <ScrollRegion aria-label={t('chat.board')} className="overflow-x-auto">
        <table className="w-full min-w-[640px] border-collapse">
          <thead className="text-sm text-muted">
            <tr className="border-b border-line">
              <th scope="col" className={`${cell} font-medium`}>
                {t('chat.column.consultant')}
              </th>
              <th scope="col" className={`${cell} font-medium`}>
                {t('chat.column.presence')}
              </th>
              {(['open', 'waiting', 'oldest', 'breaches'] as const).map((name) => (
                <th key={name} scope="col" className={`${figure} font-medium`}>
                  {t(`chat.column.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Row
              name={t('chat.queue')}
              figures={unassigned}
              isChosen={chosen === null}
              onChoose={() => onChoose(null)}
            />
            {data.map((row) => (
              <Row
                key={row.consultant.id}
                name={nameOfCard(row.consultant)}
                picture={<Avatar name={nameOfCard(row.consultant)} src={fileAddress(row.consultant.avatar?.url)} />}
                online={row.online}
                figures={row}
                isChosen={chosen === row.consultant.id}
                onChoose={() => onChoose(row.consultant.id)}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Sheet>
  )
}

interface RowProps {
  name: string
  picture?: ReactNode
  online?: boolean
  figures: DeskFigures
  isChosen: boolean
  onChoose: () => void
}

function Row({ name, picture, online, figures, isChosen, onChoose }: RowProps) {
  const t = useT()
  const locale = useLocale()
  const now = useNow()
  const { open, waiting, oldest_wait: oldest, overdue, breaches_today: breaches } = figures
  // The background of a selected row leaves too little contrast for muted text.
  const mutedClass = !isChosen && 'text-muted'
  return (
    <tr className={cx('border-b border-line last:border-0', isChosen && 'bg-brand-soft text-on-brand-soft')}>
      <th scope="row" className={`${cell} font-normal`}>
        <button
          type="button"
          aria-expanded={isChosen}
          onClick={onChoose}
          className="inline-flex min-h-9 items-center gap-3 rounded-1 text-start font-semibold max-md:min-h-11 [&:hover>bdi]:underline"
        >
          {picture}
          <bdi>{name}</bdi>
          <ChevronDown size={16} aria-hidden className={cx('shrink-0', isChosen ? 'rotate-180' : 'text-muted')} />
        </button>
      </th>
      <td className={cell}>
        {online === undefined ? null : online ? (
          <span
            className={cx('inline-flex items-center gap-[7px] whitespace-nowrap', !isChosen && 'text-success-text')}
          >
            <i aria-hidden className="size-[9px] rounded-full border-2 border-current bg-current" />
            {t('people.online')}
          </span>
        ) : (
          <span className={cx('whitespace-nowrap', mutedClass)}>{t('account.offline')}</span>
        )}
      </td>
      <td className={figure}>{formatNumber(locale, open)}</td>
      <td className={figure}>{formatNumber(locale, waiting)}</td>
      {/* The room with the oldest wait is the first to be overdue. */}
      <td className={cx(figure, overdue > 0 && 'font-semibold', overdue > 0 && !isChosen && 'text-danger-text')}>
        {oldest ? (
          <time dateTime={oldest} title={formatDateTime(oldest)} className="whitespace-nowrap">
            {overdue > 0 ? t('chat.rowLate', { time: formatSpan(t, oldest, now) }) : formatSpan(t, oldest, now)}
          </time>
        ) : (
          <span className={cx(mutedClass)}>—</span>
        )}
      </td>
      <td className={cx(figure, breaches > 0 && 'font-semibold', breaches > 0 && !isChosen && 'text-danger-text')}>
        {formatNumber(locale, breaches)}
      </td>
    </tr>
  )
}
