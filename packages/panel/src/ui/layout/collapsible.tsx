/** A section whose content is drawn once its heading is opened. */
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useId } from 'react'
import { cx } from '../../lib/class-names.ts'

interface CollapsibleProps {
  title: string
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  className?: string
  children: ReactNode
}

export function Collapsible({ title, isOpen, onToggle, className, children }: CollapsibleProps) {
  const id = useId()
  return (
    <section className={cx('text-sm', className)}>
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => onToggle(!isOpen)}
          className="flex min-h-10 w-full items-center gap-2 text-start font-semibold hover:text-brand-text max-md:min-h-11"
        >
          <ChevronRight
            size={16}
            aria-hidden
            className={cx(
              'mirrored shrink-0 text-muted transition-transform duration-(--dur-1)',
              isOpen && 'rotate-90',
            )}
          />
          {title}
        </button>
      </h3>
      <div id={id} hidden={!isOpen} className="pb-3">
        {isOpen ? children : null}
      </div>
    </section>
  )
}
