/**
 * The name of a record in a list: its picture where the list has one, the name with its link, and a line
 * below.
 */
import {
  type Entry,
  isLocale,
  type Locale,
  type Resource,
  type Screen,
  screensOf,
  type SectionName,
  sectionNames,
} from '@dala/model'
import { Link } from '@tanstack/react-router'
import { FieldDisplay, useTitleOf } from '../../../fields/field-display.tsx'
import { pictureOf } from '../../../fields/picture/picture.ts'
import { useLocale } from '../../../lib/i18n.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { sectionIcons } from '../../../ui/section-icons.ts'
import { pictureFieldOf } from '../search.ts'
import type { ListSlots } from '../../screen-parts.ts'
import { recordAddress } from '../../screen-address.ts'

interface NameProps {
  screen: Screen
  /** Content language of the list, in which the name is shown. */
  language: Locale
  entry: Entry
}

/** Name of a record in the shown language, with a link to the record. */
function RecordLink({ screen, language, entry }: NameProps) {
  const titleOf = useTitleOf(screen.resource)
  const reader = useLocale()
  const locale = isLocale(entry.locale) ? entry.locale : undefined
  const { to, search } = recordAddress(screen, entry.id)
  return (
    <Link
      to={to}
      data-name
      search={language === reader ? search : { ...search, lang: language }}
      lang={locale}
      className="block font-semibold wrap-anywhere hover:text-brand-text max-md:-my-3 max-md:py-3"
    >
      {/* A name with another text direction still starts where the page's text starts. */}
      <bdi className="line-clamp-4 rtl:text-end lg:line-clamp-3">{titleOf(entry)}</bdi>
    </Link>
  )
}

const signSizes = { md: 16, lg: 22, fill: 32 } as const
const figureSizes = { md: 26, lg: 40, fill: 88 } as const

/** Menu section of a resource's records, also where its list is one of the settings. */
function sectionOf(resource: Resource): SectionName {
  const [screen] = screensOf(resource)
  return sectionNames.find((name) => name === screen?.group) ?? screen?.section ?? 'content'
}

/** Picture of a record; without one, a person's initials, and an icon or a drawing for any other record. */
export function RecordPicture({
  resource,
  entry,
  size,
  slots: { Figure },
}: {
  resource: Resource
  entry: Entry
  size: 'md' | 'lg' | 'fill'
  slots: Pick<ListSlots, 'Figure'>
}) {
  const name = useTitleOf(resource)(entry)
  const picture = pictureOf(entry[pictureFieldOf(resource) ?? ''])
  const Kind = sectionIcons[sectionOf(resource)]
  const plainName = resource.titleFields ? undefined : <Kind size={signSizes[size]} strokeWidth={1.5} />
  const figure = Figure ? <Figure entry={entry} size={figureSizes[size]} /> : plainName
  return (
    <Avatar
      name={name}
      size={size}
      src={picture?.src}
      srcSet={picture?.srcSet || undefined}
      position={picture?.position}
      badge={figure}
    />
  )
}

/** Name of a record in a list, and the line below it. */
export function NameLines({ screen, language, entry }: NameProps) {
  const { resource } = screen
  const subtitleField = resource.list?.subtitle
  const value = subtitleField === undefined ? undefined : entry[subtitleField]
  return (
    <span className="block min-w-0">
      <RecordLink screen={screen} language={language} entry={entry} />
      {subtitleField !== undefined && value !== null && value !== undefined && value !== '' ? (
        <span className="block text-xs text-muted">
          <FieldDisplay resource={resource} name={subtitleField} value={value} entry={entry} />
        </span>
      ) : null}
    </span>
  )
}

/** Returns whether a record has a picture beside its name. */
export const isPictured = (resource: Resource, entry: Entry): boolean =>
  pictureOf(entry[pictureFieldOf(resource) ?? '']) !== undefined

/** Returns whether each row of a page has a picture or its replacement. */
export const drawsPictures = (
  resource: Resource,
  entries: readonly Entry[],
  { hidesMissingPictures }: ListSlots,
): boolean =>
  resource.list?.leadPicture !== undefined &&
  (hidesMissingPictures !== true || entries.some((entry) => isPictured(resource, entry)))

interface NameCellProps extends NameProps {
  slots: Pick<ListSlots, 'Figure'>
  hasPictures: boolean
}

/** First cell of a list's row: the name of the record. */
export function NameCell({ screen, language, entry, slots, hasPictures: hasThumbnail }: NameCellProps) {
  const { resource } = screen
  const name = <NameLines screen={screen} language={language} entry={entry} />
  if (!hasThumbnail) return name
  return (
    <span className="flex items-center gap-3">
      <RecordPicture resource={resource} entry={entry} size="md" slots={slots} />
      {name}
    </span>
  )
}
