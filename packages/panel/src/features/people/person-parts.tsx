/** The details of a person, in parts that the pages of consultants, users and staff combine. */
import { type Entry, localeNames, isLocale, resources } from '@dala/model'
import { labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Part } from '../../resource/part.tsx'
import { Chips, type Detail, Details, isKnown, MailLink, PhoneLink } from '../../ui/layout/details.tsx'
import { isInvited, readLinkedRecord, linkedList, roleOf, textOf } from './account.ts'
import { PresenceLabel } from './presence.tsx'

const { users } = resources

/** Name of the record that a field links to, or undefined. */
function useLinkName() {
  const titles = {
    region: useTitleOf(resources.regions),
    district: useTitleOf(resources.districts),
    branch: useTitleOf(resources.branches),
    company: useTitleOf(resources.companies),
    gender: useTitleOf(resources.genders),
  }
  return (record: Entry, name: keyof typeof titles) => {
    const target = readLinkedRecord(record[name])
    return target && titles[name](target)
  }
}

/** Contacts, location and workplace of a person. */
export function WorkPart({ record }: { record: Entry }) {
  const t = useT()
  const nameOf = useLinkName()
  const [phone, email, language] = [textOf(record.phone), textOf(record.email), record.language]
  const relationDetail = (name: 'region' | 'district' | 'branch' | 'company') => ({
    label: labelOf(users, name),
    value: nameOf(record, name),
  })
  const details: Detail[] = [
    { label: labelOf(users, 'phone'), value: phone && <PhoneLink number={phone} /> },
    { label: labelOf(users, 'email'), value: email && <MailLink address={email} /> },
    relationDetail('region'),
    relationDetail('district'),
    { label: labelOf(users, 'address'), value: textOf(record.address), isWide: true },
    { label: labelOf(users, 'position'), value: textOf(record.position) },
    relationDetail('branch'),
    relationDetail('company'),
    {
      label: labelOf(users, 'language'),
      value: isLocale(language) && <span lang={language}>{localeNames[language]}</span>,
    },
  ]
  // A contact card contains no field of the person's work, so the part is omitted.
  if (!details.some(isKnown)) return null
  return (
    <Part title={t('people.work')}>
      <Details details={details} />
    </Part>
  )
}

/** Knowledge of a person, and their description of themselves. */
export function PersonDescription({ record }: { record: Entry }) {
  const t = useT()
  const categoryOf = useTitleOf(resources.consultantcategories)
  const areaOf = useTitleOf(resources.agrocultureareas)
  const aboutText = textOf(record.about)
  const categories = linkedList(record.consultantcategories).map(categoryOf)
  const areaTitles = linkedList(record.agrocultureareas).map(areaOf)
  if (!aboutText && categories.length === 0 && areaTitles.length === 0) return null
  return (
    <Part title={t('field.about')}>
      {aboutText ? <p className="mb-4 max-w-[68ch] whitespace-pre-line last:mb-0">{aboutText}</p> : null}
      <Details
        details={[
          {
            label: labelOf(users, 'consultantcategories'),
            value: categories.length > 0 && <Chips names={categories} />,
          },
          { label: labelOf(users, 'agrocultureareas'), value: areaTitles.length > 0 && <Chips names={areaTitles} /> },
        ]}
      />
    </Part>
  )
}

/** Sign-in, permissions and creation date of an account. */
export function AccountPart({ record }: { record: Entry }) {
  const t = useT()
  const nameOf = useLinkName()
  const roleNameOf = useTitleOf(resources.roles)
  const [role, type, lastSeenAt] = [readLinkedRecord(record.role), roleOf(record), textOf(record.last_seen_at)]
  const booleanLabel = (value: unknown) => typeof value === 'boolean' && t(value ? 'action.yes' : 'action.no')
  return (
    <Part title={t('form.sections.account')}>
      <Details
        columns={1}
        details={[
          { label: labelOf(users, 'blocked_reason'), value: record.blocked === true && textOf(record.blocked_reason) },
          { label: labelOf(users, 'username'), value: <bdi>{textOf(record.username)}</bdi> },
          {
            label: labelOf(users, 'role'),
            value: role && (
              <>
                {roleNameOf(role)}
                {type ? <span className="block text-sm text-muted">{t(`people.rank.${type}`)}</span> : null}
              </>
            ),
          },
          {
            label: labelOf(users, 'last_seen_at'),
            value: (lastSeenAt || record.last_seen_at === null) && <PresenceLabel lastSeenAt={lastSeenAt} />,
          },
          {
            label: labelOf(users, 'confirmed'),
            value: isInvited(record)
              ? t('people.invited')
              : record.confirmed === false
                ? t('people.unconfirmed')
                : booleanLabel(record.confirmed),
          },
          { label: labelOf(users, 'gender'), value: nameOf(record, 'gender') },
          { label: labelOf(users, 'birthdate'), value: formatDate(textOf(record.birthdate)) },
          { label: labelOf(users, 'createdAt'), value: formatDate(textOf(record.createdAt)) },
        ]}
      />
    </Part>
  )
}
