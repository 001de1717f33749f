/** The placeholder of an empty page or list: a bare plot, one line, one action. */
import type { ReactNode } from 'react'

/** Drawing of a plot seen from above, ploughed but not sown. */
function BarePlot() {
  return (
    <svg
      viewBox="0 0 120 72"
      width="120"
      height="72"
      aria-hidden
      fill="none"
      stroke="var(--line-strong)"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path d="M30 10h78L90 62H6z" />
      <path d="M46 10 24 62M62 10 43 62M78 10 62 62M93 10 77 62" strokeDasharray="2 6" />
      <path d="M14 66h80" opacity=".5" />
    </svg>
  )
}

export interface EmptyStateProps {
  title: string
  /** Whether the empty state fills the whole page: its title is the heading of the page. */
  isWholePage?: boolean
  text?: ReactNode
  action?: ReactNode
  illustration?: ReactNode
}

export function EmptyState({ title, isWholePage = false, text, action, illustration }: EmptyStateProps) {
  const TitleElement = isWholePage ? 'h1' : 'p'
  return (
    <div className="grid justify-items-center gap-1.5 px-6 py-14 text-center">
      <div className="mb-3">{illustration ?? <BarePlot />}</div>
      <TitleElement className="text-lg font-semibold">{title}</TitleElement>
      {text ? <p className="max-w-[56ch] text-muted">{text}</p> : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  )
}
