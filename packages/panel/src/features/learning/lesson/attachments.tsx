/** Attachments of a lesson, with kind, type and size. */
import { type Entry, type Locale, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import File from 'lucide-react/icons/file'
import Film from 'lucide-react/icons/film'
import Image from 'lucide-react/icons/image'
import LinkIcon from 'lucide-react/icons/link'
import { fileAddress } from '../../../api/client.ts'
import { languageOf, resourceQueries } from '../../../api/resource-queries.ts'
import { FieldDisplay, useTitleOf } from '../../../fields/field-display.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { FurtherLink } from './further-link.tsx'
import { languageOfEntry } from './texts.ts'

const { attachments, lessons } = resources

const idsOf = (value: unknown): number[] => {
  const list: unknown[] = Array.isArray(value) ? value : []
  return list.flatMap((item) =>
    typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'number' ? [item.id] : [],
  )
}

export function Attachments({ record, language }: { record: Entry; language: Locale }) {
  const t = useT()
  const ids = idsOf(record.attachments)
  const { data, error, refetch } = useQuery({
    ...resourceQueries(attachments).list({
      ...languageOf(attachments, language),
      filters: { id: { $in: ids } },
      populate: { file: { fields: ['url', 'ext', 'size', 'name'] } },
      pagination: { pageSize: 100 },
    }),
    enabled: ids.length > 0,
  })
  if (ids.length === 0) return null
  return (
    <Sheet hasPadding>
      <h2 className="mb-2 text-lg font-semibold">
        <FieldLabel />
      </h2>
      {data ? (
        <ul>
          {data.entries.map((entry) => (
            <Attachment key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : error ? (
        <p role="alert" className="flex flex-wrap gap-x-3">
          <span className="text-danger-text">{t('list.failed')}</span>
          <LinkButton onClick={() => void refetch()}>{t('action.retry')}</LinkButton>
        </p>
      ) : (
        <DelayedContent>
          <Skeleton className="h-10 w-full" />
        </DelayedContent>
      )}
    </Sheet>
  )
}

function FieldLabel() {
  const t = useT()
  return t(`${lessons.fields.attachments.target}.many`)
}

const icons = { document: File, image: Image, video: Film, link: LinkIcon } as const
const isKind = (kind: unknown): kind is keyof typeof icons => typeof kind === 'string' && Object.hasOwn(icons, kind)

interface StoredFile {
  url: string
  ext: string
  size: number
}

/** File of an attachment; its `size` is in kB (contract §10). */
function fileOf(value: unknown): StoredFile | undefined {
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string')
    return undefined
  const ext = 'ext' in value && typeof value.ext === 'string' ? value.ext.replace(/^\./, '') : ''
  return { url: value.url, ext, size: 'size' in value ? Number(value.size) : 0 }
}

function Attachment({ entry }: { entry: Entry }) {
  const t = useT()
  const reader = useLocale()
  const titleOf = useTitleOf(attachments)
  const file = fileOf(entry.file)
  const Icon = isKind(entry.kind) ? icons[entry.kind] : File
  const name = <span lang={languageOfEntry(entry)}>{titleOf(entry)}</span>
  const link = typeof entry.link === 'string' ? entry.link : ''
  const size = file && file.size > 0 ? formatBytes(t, reader, file.size * 1000) : ''
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 last:border-0">
      <Icon size={18} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {file ? (
          <a
            href={fileAddress(file.url)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-6 items-center font-semibold text-brand-text hover:underline pointer-coarse:min-h-11"
          >
            {name}
          </a>
        ) : link ? (
          <FurtherLink address={link}>{name}</FurtherLink>
        ) : (
          name
        )}
      </span>
      <span className="flex shrink-0 flex-wrap justify-end gap-x-3 text-sm text-muted tabular-nums">
        <FieldDisplay resource={attachments} name="kind" value={entry.kind} />
        {file?.ext ? <bdi dir="ltr">{file.ext}</bdi> : null}
        {size ? <span>{size}</span> : null}
      </span>
    </li>
  )
}
