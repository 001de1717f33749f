/** The list of canned replies above the composer; a click or Enter inserts the active one. */
import { localeNames } from '@dala/model'
import { type MouseEvent, useEffect, useRef } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/inputs/field.tsx'
import type { CannedReplies } from './use-canned.ts'

// The text field keeps the focus and handles the keys; the list itself reacts to the pointer only.
const listbox = { role: 'listbox' } as const
const optionOf = (isChosen: boolean, choose: () => void) =>
  ({
    role: 'option',
    'aria-selected': isChosen,
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onClick: choose,
  }) as const

export function CannedList({ canned }: { canned: CannedReplies }) {
  const t = useT()
  const list = useRef<HTMLUListElement>(null)
  const { id, found, chosen, isOpen, isLoading, error } = canned
  useEffect(() => {
    // Without a layout (tests) the list of canned replies has nothing to scroll.
    list.current?.children[chosen]?.scrollIntoView?.({ block: 'nearest' })
  }, [chosen, isOpen])
  return (
    <>
      <output className="sr-only">
        {isOpen && found.length > 0 ? t('chat.cannedFound', { count: found.length }) : null}
      </output>
      {isOpen ? (
        <div className="absolute inset-x-3 bottom-full z-2 mb-1.5 max-h-[min(320px,45dvh)] overflow-y-auto rounded-2 border border-line-strong bg-surface shadow-2 max-md:inset-x-2">
          {isLoading ? (
            <p className="px-3.5 py-2.5 text-sm text-muted">{t('select.loading')}</p>
          ) : error ? (
            <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3.5 py-2.5 text-sm">
              <FieldError>{messageOfFailure(error)}</FieldError>
              <LinkButton onClick={canned.retry}>{t('action.retry')}</LinkButton>
            </div>
          ) : found.length === 0 ? (
            <p className="px-3.5 py-2.5 text-sm text-muted">{t('chat.cannedNone')}</p>
          ) : null}
          <ul ref={list} id={id} {...listbox} aria-label={t('chat.quickReplies')} className="grid p-1 empty:hidden">
            {found.map((reply, index) => (
              <li
                key={reply.id}
                id={canned.optionId(index)}
                {...optionOf(index === chosen, () => canned.choose(reply))}
                className={cx(
                  'grid cursor-pointer gap-0.5 rounded-1 px-2.5 py-1.5 hover:bg-hover max-md:py-2.5',
                  index === chosen && 'bg-brand-soft text-on-brand-soft hover:bg-brand-soft',
                )}
              >
                <span className="flex items-baseline gap-2">
                  <b className="min-w-0 flex-1 truncate font-semibold" lang={reply.locale}>
                    {reply.title}
                  </b>
                  <span className={cx('shrink-0 text-xs', index !== chosen && 'text-muted')} lang={reply.locale}>
                    {localeNames[reply.locale]}
                  </span>
                </span>
                <span lang={reply.locale} className={cx('line-clamp-2 text-sm', index !== chosen && 'text-muted')}>
                  {reply.text}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  )
}
