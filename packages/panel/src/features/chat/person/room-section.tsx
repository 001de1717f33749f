/** Collapsible section of the pane about a room: its data is loaded when it is opened. */
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useId, useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { LoadedPart } from '../../../resource/part.tsx'

interface RoomSectionProps<D, K extends readonly unknown[]> {
  title: string
  query: UseQueryOptions<D, Error, D, K>
  isEmpty: (data: D) => boolean
  children: (data: D) => ReactNode
}

export function RoomSection<D, K extends readonly unknown[]>({
  title,
  query,
  isEmpty,
  children,
}: RoomSectionProps<D, K>) {
  const t = useT()
  const id = useId()
  const [open, setOpen] = useState(false)
  const answer = useQuery({ ...query, enabled: open })
  return (
    <section className="border-t border-line">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-10 w-full items-center gap-2 text-start text-sm font-semibold hover:text-brand-text max-md:min-h-11"
        >
          <ChevronRight
            size={16}
            aria-hidden
            className={cx('mirrored shrink-0 text-muted transition-transform duration-(--dur-1)', open && 'rotate-90')}
          />
          {title}
        </button>
      </h3>
      <div id={id} hidden={!open} className="pb-3 text-sm">
        {open ? (
          <LoadedPart query={answer} rows={2}>
            {(data) => (isEmpty(data) ? <p className="text-muted">{t('empty.noData')}</p> : children(data))}
          </LoadedPart>
        ) : null}
      </div>
    </section>
  )
}
