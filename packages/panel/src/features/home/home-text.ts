/** Texts of the home page: its head, the details of each group, the rows, and recent changes. */
import {
  type HomeAnswer,
  homeAuditActions,
  type HomeChange,
  type HomeGroup,
  type HomeGroupKey,
  type HomeRow,
  type Locale,
  type Resource,
  resourceSingular,
  screensOf,
} from '@dala/model'
import { findResource } from '../../fields/relation/targets.ts'
import {
  dayToDate,
  formatClock,
  formatDate,
  formatDateTimeIn,
  formatDuration,
  formatNumber,
  monthNames,
  parseDate,
  type Translate,
  weekdayNames,
} from '../../lib/format.ts'
import { hasMessage, firstTranslation } from '../../lib/i18n.ts'
import { type Address, recordAddress } from '../../resource/screen-address.ts'
import { resourceOfWire } from './home-data.ts'

const minute = 60_000

/** Formats the time between two moments: "2 h 40 min". */
const durationText = (t: Translate, startTime: string | number, endTime: number): string =>
  formatDuration(
    t,
    Math.max(0, (endTime - (typeof startTime === 'string' ? Date.parse(startTime) : startTime)) / minute),
  )

/**
 * Text of the present moment: "Wednesday, 25 November, 14:05" in the report time zone, whose day is the day
 * of due prices.
 */
function momentText(t: Translate, now: Date, zone: string): string {
  const [date = '', time = ''] = formatDateTimeIn(now, zone).split(' ')
  const day = dayToDate(parseDate(date) ?? '') ?? now
  const weekday = weekdayNames(t)[(day.getDay() + 6) % 7] ?? ''
  const months = monthNames(t)
  const key = `date.monthInDate.${day.getMonth() + 1}`
  const month = hasMessage(key) ? t(key) : (months[day.getMonth()] ?? '')
  return t('home.moment', { weekday, day: day.getDate(), month, time })
}

/** Sentence of the home page with the time, the number of overdue rows, and the age of the oldest row. */
export function headText(t: Translate, { data: { late, oldest }, meta: { zone } }: HomeAnswer, now: Date): string {
  const moment = momentText(t, now, zone)
  if (late === 0) return t('home.head.inTime', { moment })
  return t('home.head.late', { moment, count: late, time: oldest ? durationText(t, oldest, now.getTime()) : '' })
}

/** Detail beside the name of a group of open work on the home page. */
export function groupSummary(t: Translate, locale: Locale, group: HomeGroup, now: Date): string {
  const { key, oldest, flagged, missing } = group
  const time = oldest ? durationText(t, oldest, now.getTime()) : ''
  switch (key) {
    case 'prices':
      return [
        ...(missing > 0 ? [t('home.fact.missing', { shown: formatNumber(locale, missing) })] : []),
        ...(flagged > 0 ? [t('home.fact.flagged', { shown: formatNumber(locale, flagged) })] : []),
      ].join(', ')
    case 'translations':
      return t('home.fact.translations')
    case 'overdue':
      return t('home.fact.overdue')
    case 'ownConsultations':
      return t('home.fact.ownConsultations')
    default:
      return time ? t('home.fact.oldest', { time }) : ''
  }
}

interface WaitLabel {
  text: string
  isLate: boolean
}

/** Time at the end of a row of work, and whether that time has passed. */
export function waitLabel(t: Translate, group: HomeGroupKey, row: HomeRow, now: Date): WaitLabel | undefined {
  const { since, due } = row
  const isLate = due !== null && Date.parse(due) <= now.getTime()
  if (group === 'overdue' || group === 'ownConsultations') {
    if (due === null) return undefined
    return isLate
      ? { text: t('home.wait.over', { time: durationText(t, due, now.getTime()) }), isLate }
      : { text: t('home.wait.left', { time: durationText(t, now.getTime(), Date.parse(due)) }), isLate }
  }
  if (since === null) return undefined
  if (group === 'translations') return { text: t('home.wait.since', { day: formatClock(since, now) }), isLate: false }
  return { text: durationText(t, since, now.getTime()), isLate }
}

export interface RowTexts {
  title: string
  note: string
  location: string
  /** Person in a row of the home page's open work, shown beside the location. */
  person: string
}

/** Texts of a row of work on the home page. */
export function rowTexts(t: Translate, locale: Locale, group: HomeGroupKey, row: HomeRow): RowTexts {
  const { kind, count, title, from, place: location, owner } = row
  if (group === 'prices') {
    const countText = formatNumber(locale, count ?? 0)
    return kind === 'flagged'
      ? {
          title: t('home.row.flagged', { count: count ?? 0, shown: countText }),
          note:
            (count ?? 0) > 1
              ? t('home.row.andMore', { name: title ?? '', shown: formatNumber(locale, (count ?? 0) - 1) })
              : (title ?? ''),
          location: location ?? '',
          person: '',
        }
      : {
          title: t('home.row.district', { name: title ?? '', count: count ?? 0, shown: countText }),
          note: '',
          location: '',
          person: '',
        }
  }
  const isChat = group === 'chats' || group === 'ownChats'
  const isConsultation = group === 'overdue' || group === 'free' || group === 'ownConsultations'
  const resource = resourceOfWire(row.resource)
  return {
    title: title ?? (isChat ? t('home.row.picture') : isConsultation ? `№ ${row.id}` : t('home.row.untitled')),
    note: isConsultation
      ? `№ ${row.id}`
      : group === 'translations'
        ? resource
          ? firstTranslation([resourceSingular(resource)])
          : ''
        : group === 'posts'
          ? kind === 'edit'
            ? t('home.row.edit')
            : ''
          : (from?.name ?? ''),
    location: group === 'translations' ? '' : (location ?? ''),
    person:
      group === 'chats' || group === 'overdue'
        ? (owner?.name ?? t('home.row.noOwner'))
        : isChat || group === 'translations'
          ? ''
          : (from?.name ?? ''),
  }
}

const changeActions = [...homeAuditActions, 'step.assign', 'step.finish', 'step.reopen'] as const

/** Text for a recent change, without its user and its record. */
export function changeText(t: Translate, { action, count }: HomeChange): string {
  const knownAction = changeActions.find((listedAction) => listedAction === action)
  return knownAction ? t(`home.change.${knownAction}`, { count }) : action
}

/** Kind of records of a recent change. */
export function changeKind({ resource: name, count }: HomeChange): string {
  const resource = name === null ? undefined : findResource(name)
  if (!resource) return ''
  const manyKey = `${resource.name}.many`
  return count > 1 && hasMessage(manyKey) ? firstTranslation([manyKey]) : firstTranslation([resourceSingular(resource)])
}

/** Title of the record of a recent change; a day is formatted. */
export const changeTitle = ({ record }: HomeChange): string =>
  record?.title && /^\d{4}-\d{2}-\d{2}$/.test(record.title) ? formatDate(record.title) : (record?.title ?? '')

/** Address of the record of a recent change. */
export function changeAddress({ resource: name, record }: HomeChange): Address | undefined {
  const resource: Resource | undefined = name === null ? undefined : findResource(name)
  const screen = resource && screensOf(resource).at(-1)
  if (!screen || !record) return undefined
  return resource.single ? { to: `/app/${screen.path}`, search: {} } : recordAddress(screen, record.id)
}

/** Day of recent changes, as a heading: today, yesterday, or the date. */
export function dayLabel(t: Translate, changeTime: string, now: Date): string {
  const start = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  const days = Math.round((start(now) - start(new Date(changeTime))) / (24 * 60 * minute))
  return days <= 0 ? t('home.today') : days === 1 ? t('home.yesterday') : formatClock(changeTime, now)
}

/** Texts for a day of the week sheet: the day of the month and the names of its weekday. */
export function weekdayTexts(t: Translate, date: string): { name: string; long: string; day: number } {
  const sheetDate = dayToDate(date) ?? new Date()
  const index = (sheetDate.getDay() + 6) % 7
  return { name: weekdayNames(t, 'short')[index] ?? '', long: weekdayNames(t)[index] ?? '', day: sheetDate.getDate() }
}
