/** The documents of a message: name, kind and size, and a link that downloads each. */
import Download from 'lucide-react/icons/download'
import { fileAddress } from '../../../api/client.ts'
import { FileKindIcon, kindNameOf } from '../../../fields/upload/file-kind.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { iconButtonClass } from '../../../ui/icon-button.tsx'
import type { Attachment } from '../chat-data.ts'

export function MessageDocuments({ documents }: { documents: readonly Attachment[] }) {
  if (documents.length === 0) return null
  return (
    <ul className="grid gap-1.5 py-1">
      {documents.map((document) => (
        <DocumentRow key={document.url} document={document} />
      ))}
    </ul>
  )
}

function DocumentRow({ document: { url, name, size } }: { document: Attachment }) {
  const t = useT()
  const locale = useLocale()
  const details = [kindNameOf(url), size === null ? '' : formatBytes(t, locale, size * 1000)]
  return (
    <li className="flex max-w-full min-w-0 items-center gap-2.5 rounded-2 border border-line bg-surface ps-2.5 pe-1 text-ink">
      <FileKindIcon address={url} size={20} />
      <span className="grid min-w-0 flex-1 py-1.5 leading-tight">
        <bdi className="font-medium wrap-anywhere">{name}</bdi>
        <span className="text-sm text-muted">{details.filter(Boolean).join(' · ')}</span>
      </span>
      <a
        href={fileAddress(url)}
        download={name}
        aria-label={t('action.downloadFile', { name })}
        data-tip={t('action.downloadFile', { name })}
        className={iconButtonClass}
      >
        <Download size={18} aria-hidden />
      </a>
    </li>
  )
}
