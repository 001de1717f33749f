/** Calendar of a month for picking a day; names of months and days come from our own tables. */
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { DayPicker } from 'react-day-picker'
import { dateToDay, dayToDate, formatLongDate, monthNames, weekdayNames } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { iconButtonClass } from '../icon-button.tsx'

export interface CalendarProps {
  value: string | null
  onPick: (day: string) => void
}

const mondayFirst = (date: Date) => (date.getDay() + 6) % 7

export function Calendar({ value, onPick }: CalendarProps) {
  const t = useT()
  const { direction } = usePreferences()
  const selectedDay = value === null ? undefined : dayToDate(value)
  const months = monthNames(t)
  return (
    <DayPicker
      mode="single"
      dir={direction}
      weekStartsOn={1}
      showOutsideDays
      {...(selectedDay ? { selected: selectedDay, defaultMonth: selectedDay } : {})}
      onDayClick={(date) => onPick(dateToDay(date))}
      formatters={{
        formatCaption: (date) => `${months[date.getMonth()] ?? ''} ${date.getFullYear()}`,
        formatWeekdayName: (date) => weekdayNames(t, 'short')[mondayFirst(date)] ?? '',
        formatDay: (date) => String(date.getDate()),
      }}
      labels={{
        labelGrid: (date) => `${months[date.getMonth()] ?? ''} ${date.getFullYear()}`,
        labelWeekday: (date) => weekdayNames(t)[mondayFirst(date)] ?? '',
        labelDayButton: (date) => formatLongDate(t, date),
        labelPrevious: () => t('date.previousMonth'),
        labelNext: () => t('date.nextMonth'),
        labelNav: () => t('date.selectDate'),
      }}
      components={{
        Chevron: ({ orientation }) =>
          orientation === 'left' ? (
            <ChevronLeft size={18} aria-hidden className="mirrored" />
          ) : (
            <ChevronRight size={18} aria-hidden className="mirrored" />
          ),
      }}
      classNames={{
        root: 'relative p-2',
        month_caption: 'flex h-9 items-center px-2 text-md font-semibold',
        nav: 'absolute end-2 top-2 flex gap-0.5',
        button_previous: iconButtonClass,
        button_next: iconButtonClass,
        month_grid: 'mt-1 border-collapse',
        weekday: 'size-9 text-xs font-medium text-muted max-md:size-11',
        day: 'p-0 text-center text-sm data-outside:text-muted',
        day_button:
          'size-9 rounded-2 tabular-nums hover:bg-hover in-data-selected:bg-brand in-data-selected:font-semibold in-data-selected:text-on-brand in-data-today:font-semibold max-md:size-11',
      }}
    />
  )
}
