/** A value that an import changes: the old one struck through, then an arrow and the new one. */
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useT } from '../../lib/i18n.ts'

export function OldAndNewValue({ before, after }: { before: string; after: string }) {
  const t = useT()
  return (
    <span className="inline-flex max-w-full items-center gap-[7px]">
      <del className="truncate text-muted decoration-1">
        <span className="sr-only">{t('import.old')} </span>
        {before}
      </del>
      <ArrowRight size={14} aria-hidden className="mirrored shrink-0 text-muted" />
      <ins className="truncate font-semibold no-underline">
        <span className="sr-only">{t('import.new')} </span>
        {after}
      </ins>
    </span>
  )
}
