/** Choice from a few options, side by side. */
import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'

interface Segment<V extends string> {
  value: V
  label: string
  /** Count shown in small type after the label of a segment. */
  count?: string | undefined
  /** Content in place of the segment's label, which becomes the accessible name and the tooltip. */
  icon?: ReactNode
}

/** Segments that all have room stay where they are: scrolling to one would scroll the page as well. */
const scrollToSelected = (element: HTMLElement | null) => {
  const row = element?.parentElement
  if (row && row.scrollWidth > row.clientWidth) element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

export interface SegmentedProps<V extends string> {
  label: string
  value: V
  onValueChange: (value: V) => void
  segments: readonly Segment<V>[]
  className?: string
}

/**
 * Segments stay on one line: hidden ones are reached by scrolling, and the chosen one is scrolled into view.
 */
export function SegmentedControl<V extends string>({
  label,
  value,
  onValueChange,
  segments,
  className,
}: SegmentedProps<V>) {
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      onValueChange={([chosenValue]) => {
        // Pressing the chosen segment again would clear the choice, but one must always be chosen.
        if (chosenValue !== undefined) onValueChange(chosenValue)
      }}
      className={cx(
        'inline-flex max-w-full gap-0.5 overflow-x-auto rounded-2 bg-sunken p-[3px] shadow-[inset_0_0_0_1px_var(--line)] [scrollbar-width:none]',
        className,
      )}
    >
      {segments.map((segment) => (
        <Toggle
          key={segment.value}
          value={segment.value}
          {...(segment.value === value ? { ref: scrollToSelected } : {})}
          aria-label={segment.icon ? segment.label : undefined}
          data-tip={segment.icon ? segment.label : undefined}
          className={cx(
            'inline-flex whitespace-nowrap h-[calc(var(--control)-6px)] max-md:h-(--control) flex-[1_0_auto] items-center justify-center gap-[7px] rounded-[max(0px,calc(var(--r-2)-2px))] text-md font-medium text-muted hover:text-ink data-pressed:bg-surface data-pressed:font-semibold data-pressed:text-ink data-pressed:shadow-[0_0_0_1px_var(--line-strong)]',
            segment.icon ? 'min-w-9 px-[9px] max-md:min-w-11' : 'px-3',
          )}
        >
          {segment.icon ?? segment.label}
          {segment.count === undefined ? null : (
            <small className="text-xs font-normal text-muted">{segment.count}</small>
          )}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
