/** The disk of the data folder as one stack with its sizes. */
import type { SystemState } from '@dala/model'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { cx } from '../../lib/class-names.ts'

type Disk = Extract<SystemState['disk'], { state: 'answered' }>

const colours = {
  uploads: 'bg-(--chart-1)',
  backups: 'bg-(--chart-2)',
  database: 'bg-(--chart-3)',
  other: 'bg-line-strong',
  free: 'bg-sunken',
} as const

export function DiskSizes({ disk }: { disk: Disk }) {
  const t = useT()
  const locale = useLocale()
  const { total, free, write_ms: writeTime } = disk
  const folders = (['uploads', 'backups', 'database'] as const).flatMap((name) => {
    const folder = disk[name]
    return folder ? [{ name, ...folder }] : []
  })
  const known = folders.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = [
    ...folders,
    { name: 'other' as const, bytes: Math.max(0, total - free - known), partial: false },
    { name: 'free' as const, bytes: free, partial: false },
  ]
  return (
    <>
      <div aria-hidden className="mb-2 flex h-2.5 gap-px overflow-hidden rounded-1 border border-line">
        {rows.map(({ name, bytes }) => (
          <i key={name} className={colours[name]} style={{ flexGrow: bytes, flexBasis: bytes > 0 ? 2 : 0 }} />
        ))}
      </div>
      <dl className="grid grid-cols-2 gap-x-5 text-sm max-sm:grid-cols-1">
        {rows.map(({ name, bytes, partial }) => {
          const size = formatBytes(t, locale, bytes)
          return (
            <div key={name} className="flex items-center gap-2 py-[5px]">
              <i aria-hidden className={cx('size-2.5 shrink-0 border border-line', colours[name])} />
              <dt className="flex-1 text-muted">{t(`system.disk.${name}`)}</dt>
              <dd className="tabular-nums">{partial ? t('system.disk.atLeast', { size }) : size}</dd>
            </div>
          )
        })}
        <div className="flex items-center gap-2 py-[5px] ps-[18px]">
          <dt className="flex-1 text-muted">{t('system.disk.total')}</dt>
          <dd className="tabular-nums">{formatBytes(t, locale, total)}</dd>
        </div>
        {writeTime !== null && (
          <div className="flex items-center gap-2 py-[5px] ps-[18px]">
            <dt className="flex-1 text-muted">{t('system.disk.write')}</dt>
            <dd className="tabular-nums">{t('system.slow.ms', { time: formatNumber(locale, writeTime) })}</dd>
          </div>
        )}
      </dl>
    </>
  )
}
