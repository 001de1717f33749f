/** How much of their space for files the user has used. */
import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../fields/picture/library/api.ts'
import type { FileKind } from '../../fields/picture/library/view.ts'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'

/** The quota is set, and named in refusals, in megabytes of 1,048,576 bytes. */
const megabyteRatio = 1.048576

/** `kind` selects the quota: videos have one of their own. Nothing is shown while it is unknown. */
export function SpaceLine({ kind }: { kind: FileKind }) {
  const t = useT()
  const locale = useLocale()
  const { data } = useQuery(usageQuery)
  if (!data) return null
  const { used, most } = kind === 'videos' ? data.video_bytes : data.bytes
  const formatAmount = (bytes: number) => formatBytes(t, locale, bytes / megabyteRatio)
  const space = { used: formatAmount(used), most: formatAmount(most) }
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
      <span>{t(kind === 'videos' ? 'library.videoSpace' : 'library.space', space)}</span>
      <progress
        aria-label={t('library.spaceUsed')}
        max={100}
        value={Math.min(100, Math.round((used / most) * 100))}
        className="progress-bar w-32"
      />
      <span>
        {t('library.spaceFiles', {
          used: formatNumber(locale, data.files.used),
          most: formatNumber(locale, data.files.most),
        })}
      </span>
    </p>
  )
}
