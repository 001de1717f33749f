/** Head of a page: the title with a light total, one sentence, actions at the end. */
import type { ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'

export interface PageHeadProps {
  title: string
  /** Total beside the title of the page, in light figures. */
  total?: string | undefined
  /** Line below the title of the page: the state of a record. */
  text?: ReactNode
  /** Sentence about the whole page; a phone shows it below the actions in full width. */
  about?: string | undefined
  /** Picture before the title of the page. */
  leadContent?: ReactNode
  actions?: ReactNode
  /** Whether the head is one line, for a page that is a sheet and needs the height. */
  isDense?: boolean | undefined
  /**
   * Whether the content of the page matters first: a phone shows the head as one line, without the sentence
   * and without text beside icons (`data-word`).
   */
  isSlim?: boolean | undefined
  /** The head of a part of a page: the title is of the second level. */
  isPart?: boolean | undefined
}

/** Letters of a word that fits beside three buttons on a phone, in the size of a title. */
const longestWord = 13

export function PageHead({
  title,
  total,
  text,
  about,
  leadContent: lead,
  actions,
  isDense = false,
  isSlim = false,
  isPart = false,
}: PageHeadProps) {
  const Heading = isPart ? 'h2' : 'h1'
  const isSpread = about !== undefined && !isSlim
  const hasLongWord = title.split(' ').some((word) => word.length > longestWord)
  return (
    <div
      className={cx(
        'flex flex-wrap justify-between gap-x-6 max-md:items-center max-md:gap-x-3 max-md:px-0.5',
        isDense ? 'items-center gap-y-1.5 pb-2' : isPart ? 'gap-y-3 pb-4' : 'items-end gap-y-3 pt-4 pb-[22px]',
        isSlim && 'max-md:flex-nowrap max-md:pt-1.5',
        isSlim && (isDense ? 'max-md:pb-1' : 'max-md:pb-2.5'),
        !isDense && !isSlim && 'max-md:pt-2.5 max-md:pb-4',
      )}
    >
      <div
        className={cx(
          'flex min-w-[min(100%,22rem)] flex-1 items-center gap-4',
          // A head with a picture has no room for buttons beside its name on a phone.
          lead ? 'max-md:min-w-full' : 'max-md:min-w-0 max-md:flex-auto',
          isSpread && 'max-md:contents',
        )}
      >
        {lead}
        <div
          className={cx(
            'min-w-0',
            isSpread && 'max-md:contents',
            isDense && 'flex flex-wrap items-baseline gap-x-4 max-md:block',
          )}
        >
          <Heading
            className={cx(
              'leading-tight font-semibold tracking-[-0.012em] wrap-break-word max-md:flex-auto',
              isPart ? 'text-xl' : 'text-2xl',
              isSlim && 'max-md:line-clamp-4',
              isSlim && (hasLongWord ? 'max-md:text-lg' : 'max-md:text-xl'),
            )}
          >
            {title}
            {/* A space precedes the total, so that a wrapped total starts at the edge. */}{' '}
            {total === undefined ? null : <span className="ms-1 inline-block font-light text-muted">{total}</span>}
          </Heading>
          {text ? <div className="mt-[3px] text-muted max-md:text-sm">{text}</div> : null}
          {about ? (
            <div
              className={cx(
                'mt-[3px] text-muted',
                isSlim ? 'max-md:sr-only' : 'max-md:order-last max-md:mt-0 max-md:w-full max-md:text-sm',
              )}
            >
              {about}
            </div>
          ) : null}
        </div>
      </div>
      {actions ? (
        <div
          className={cx(
            'flex flex-wrap gap-2',
            isSlim && 'max-md:shrink-0 max-md:flex-nowrap max-md:[&_[data-word]]:sr-only',
          )}
        >
          {actions}
        </div>
      ) : null}
    </div>
  )
}
