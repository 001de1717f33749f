/** The page of a company: its description, contacts and delivery regions, and its documents for the staff. */
import { type Entry, type Locale, localeNames, locales, resources } from '@dala/model'
import Languages from 'lucide-react/icons/languages'
import { useState } from 'react'
import { isEntry, labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { CoverPicture } from '../../fields/picture/cover.tsx'
import { galleryPictureOf } from '../../fields/picture/picture.ts'
import { DrawableFiles } from '../../fields/upload/private-file.tsx'
import { cx } from '../../lib/class-names.ts'
import { formatDate } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LatestRecords } from '../../resource/record/latest-records.tsx'
import { Part } from '../../resource/part.tsx'
import { findScreen } from '../../resource/screen-address.ts'
import type { OverviewSlots, OverviewProps } from '../../resource/screen-parts.ts'
import { Chips, Details, MailLink, PhoneLink, WebLink } from '../../ui/layout/details.tsx'
import { GalleryButton } from '../../ui/overlays/gallery.tsx'
import { LanguageChip } from '../../ui/language-coverage.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { StatusDot } from '../../ui/feedback/status-dot.tsx'
import { entriesOf, entryOf, type ShownText, textIn, textOf } from './company.ts'
import { CompanyLogo } from './company-card.tsx'
import { CompanyOwner } from './company-owner.tsx'

const { companies } = resources

/** Texts of the company about itself, in the language chosen on the page. */
function TextsPart({ record }: { record: Entry }) {
  const t = useT()
  const reader = useLocale()
  const [language, setLanguage] = useState<Locale>(reader)
  const [slogan, shortText, description, fullText] = [
    'slogan',
    'shortdescription',
    'description',
    'full_description',
  ].map((name) => textIn(record, name, language))
  const texts = [slogan, shortText, description, fullText].flatMap((languageText) => languageText ?? [])
  const isTranslated = texts.some(({ lang }) => lang === language)
  return (
    <Part
      title={t('company.about')}
      aside={
        <Select
          variant="filter"
          aria-label={t('lang.content')}
          icon={<Languages size={16} aria-hidden />}
          value={language}
          onValueChange={setLanguage}
          choices={locales.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale }))}
        />
      }
    >
      <output className="mb-3 block text-sm text-muted empty:hidden">
        {texts[0] && !isTranslated ? t('content.shownIn', { language: localeNames[texts[0].lang] }) : null}
      </output>
      {texts.length > 0 ? (
        <div className="grid gap-4">
          <Paragraph text={slogan} preferredLocale={language} className="text-lg font-semibold" />
          <Paragraph text={shortText} preferredLocale={language} className="text-lg leading-(--leading-read)" />
          <Paragraph text={description} preferredLocale={language} className="leading-(--leading-read)" />
          {fullText ? (
            <div className="grid justify-items-start gap-1.5">
              {fullText.lang === language ? null : <LanguageChip locale={fullText.lang} />}
              <RichText html={fullText.text} lang={fullText.lang} />
            </div>
          ) : null}
        </div>
      ) : (
        <p className="text-muted">{t('section.none')}</p>
      )}
    </Part>
  )
}

/** Plain text of a company, with the code of its language if it is not the wanted one. */
function Paragraph({
  text,
  preferredLocale: wantedLocale,
  className,
}: {
  text: ShownText | undefined
  preferredLocale: Locale
  className: string
}) {
  if (!text) return null
  return (
    <p lang={text.lang} className={cx('max-w-[68ch] whitespace-pre-line', className)}>
      {text.text}
      {text.lang === wantedLocale ? null : <LanguageChip locale={text.lang} />}
    </p>
  )
}

function ContactsPart({ record }: { record: Entry }) {
  const t = useT()
  const reader = useLocale()
  const regionOf = useTitleOf(resources.regions)
  const districtOf = useTitleOf(resources.districts)
  const [phone, fax, email, website] = ['phone', 'fax', 'email', 'website'].map((name) => textOf(record[name]))
  const [region, district] = [entryOf(record.region), entryOf(record.district)]
  const address = textIn(record, 'address', reader)
  const delivery = entriesOf(record.delivery_regions).map(regionOf)
  const label = (name: string) => labelOf(companies, name)
  return (
    <Part title={t('company.contacts')}>
      <Details
        details={[
          { label: label('phone'), value: phone && <PhoneLink number={phone} /> },
          { label: label('fax'), value: fax && <bdi dir="ltr">{fax}</bdi> },
          { label: label('email'), value: email && <MailLink address={email} /> },
          { label: label('website'), value: website && <WebLink address={website} /> },
          { label: label('address'), value: address && <span lang={address.lang}>{address.text}</span>, isWide: true },
          { label: label('region'), value: region && regionOf(region) },
          { label: label('district'), value: district && districtOf(district) },
          { label: label('delivery_regions'), value: delivery.length > 0 && <Chips names={delivery} />, isWide: true },
        ]}
      />
    </Part>
  )
}

const paperNames = ['patent', 'passport'] as const

/** Patent and passport of a company; users who may not see them do not receive these fields. */
function PapersPart({ record }: { record: Entry }) {
  const t = useT()
  if (!('patent' in record) && !('passport' in record)) return null
  const availablePapers = paperNames.filter((name) => isEntry(record[name]))
  return (
    <Part title={t('company.papers')}>
      {availablePapers.length === 0 ? <p className="text-muted">{t('company.papers.none')}</p> : null}
      <ul className="grid grid-cols-2 gap-3 empty:hidden">
        <DrawableFiles files={availablePapers.map((name) => record[name])}>
          {(files) => {
            const paperPictures = availablePapers.flatMap((name, index) => {
              const picture = galleryPictureOf(files[index], labelOf(companies, name))
              return picture ? [{ name, picture }] : []
            })
            return paperPictures.map(({ name }, index) => (
              <li key={name} className="grid content-start gap-1 text-sm">
                <GalleryButton pictures={paperPictures.map(({ picture }) => picture)} index={index} className="w-full">
                  <CoverPicture
                    file={record[name]}
                    width={180}
                    className="aspect-[3/4] w-full rounded-2 border border-line"
                  />
                </GalleryButton>
                {labelOf(companies, name)}
              </li>
            ))
          }}
        </DrawableFiles>
      </ul>
    </Part>
  )
}

function CompanyPart({ record }: { record: Entry }) {
  const t = useT()
  const categoryOf = useTitleOf(resources.companycategories)
  const directionOf = useTitleOf(resources.directions)
  const category = entryOf(record.companycategory)
  const directions = entriesOf(record.directions).map(directionOf)
  return (
    <Part title={t('form.sections.details')}>
      <Details
        columns={1}
        details={[
          { label: labelOf(companies, 'shortname'), value: textOf(record.shortname) },
          { label: labelOf(companies, 'companycategory'), value: category && categoryOf(category) },
          { label: labelOf(companies, 'directions'), value: directions.length > 0 && <Chips names={directions} /> },
          { label: labelOf(companies, 'owner'), value: entryOf(record.owner) && <CompanyOwner record={record} /> },
          { label: labelOf(companies, 'updatedAt'), value: formatDate(textOf(record.updatedAt)) },
        ]}
      />
    </Part>
  )
}

function CompanyOverview({ record }: OverviewProps) {
  const t = useT()
  const finance = findScreen('agri-finance')
  const businessScreen = findScreen('agri-business')
  const posts = findScreen('trading-post')
  const line = (entry: Entry) => formatDate(textOf(entry.createdAt))
  const filters = { company: { $eq: record.id } }
  return (
    <div className="mb-8 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid min-w-0 gap-5">
        <TextsPart record={record} />
        <ContactsPart record={record} />
        <LatestRecords
          screen={finance}
          screenOf={({ section }) => (section === 'business' ? businessScreen : finance)}
          title={t('serviceposts.many')}
          filters={filters}
          line={line}
        />
        <LatestRecords screen={posts} title={t('tradinposts.many')} filters={filters} line={line} />
      </div>
      <aside className="grid gap-5">
        <CompanyPart record={record} />
        <PapersPart record={record} />
      </aside>
    </div>
  )
}

function CompanyLine({ record }: { record: Entry }) {
  const t = useT()
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <StatusDot active={record.active === true} />
      <span>{t('company.card.created', { date: formatDate(textOf(record.createdAt)) })}</span>
    </span>
  )
}

function CompanyLead({ record }: { record: Entry }) {
  return <CompanyLogo record={record} size="lg" />
}

export const companyOverview: OverviewSlots = { Overview: CompanyOverview, Lead: CompanyLead, Line: CompanyLine }
