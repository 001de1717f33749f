/** One trading post as buyers will see it, and beside it the decision and its author. */
import { type Entry, isLocale, resources, screensOf } from '@dala/model'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FieldDisplay, isEntry, labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { recordAddress } from '../../resource/screen-address.ts'
import type { OverviewSlots, OverviewProps } from '../../resource/screen-parts.ts'
import { useMay } from '../../resource/use-may.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DecisionPanel } from './decision-panel.tsx'
import { PostGallery } from './post-gallery.tsx'
import { PostPlace, PostPrice, useUnitLabel } from './post-parts.tsx'

const { tradinposts } = resources

/** Type and status of a trading post, creation time and last change. */
function PostLine({ record }: { record: Entry }) {
  const t = useT()
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {(['tradingposttype', 'status'] as const).map((name) => (
        <span key={name}>
          <FieldDisplay resource={tradinposts} name={name} value={record[name]} />
        </span>
      ))}
      {(['createdAt', 'updatedAt'] as const).map((name) => (
        <span key={name}>
          {t(`field.${name}`)}: <time className="tabular-nums">{formatDateTime(String(record[name]))}</time>
        </span>
      ))}
    </span>
  )
}

function PostDetail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** Fields of the post that have a value, rendered by their kind. */
const plainFields = ['tradingpostcategory', 'product', 'company', 'views'] as const

function PostPage({ record }: OverviewProps) {
  const t = useT()
  const { description, delivery, phone, locale } = record
  const unitOf = useUnitLabel()
  const lang = isLocale(locale) ? locale : undefined
  return (
    <div className="mb-8 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
      <Sheet hasPadding className="grid gap-6">
        <PostGallery key={record.id} post={record} />
        <p className="text-xl font-semibold">
          <PostPrice post={record} />
        </p>
        {typeof description === 'string' && description !== '' ? (
          <p lang={lang} className="max-w-[68ch] leading-read whitespace-pre-line wrap-anywhere">
            {description}
          </p>
        ) : null}
        <dl className="grid gap-x-6 gap-y-3.5 md:grid-cols-2">
          <PostDetail label={labelOf(tradinposts, 'region')}>
            <PostPlace post={record} />
          </PostDetail>
          <PostDetail label={t('field.deliveryType')}>
            {t(delivery === true ? 'delivery.true' : 'delivery.false')}
          </PostDetail>
          <PostDetail label={labelOf(tradinposts, 'phone')}>
            {typeof phone === 'string' && phone !== '' ? <bdi dir="ltr">{phone}</bdi> : '—'}
          </PostDetail>
          {typeof record['amount'] === 'number' ? (
            <PostDetail label={labelOf(tradinposts, 'amount')}>
              <FieldDisplay resource={tradinposts} name="amount" value={record['amount']} /> {unitOf(record['unit'])}
            </PostDetail>
          ) : null}
          {plainFields
            .filter((name) => record[name] !== null && record[name] !== undefined)
            .map((name) => (
              <PostDetail key={name} label={labelOf(tradinposts, name)}>
                <FieldDisplay resource={tradinposts} name={name} value={record[name]} />
              </PostDetail>
            ))}
        </dl>
      </Sheet>
      <aside className="grid gap-5">
        <DecisionPanel record={record} />
        <Author record={record} />
      </aside>
    </div>
  )
}

/** Author of the post; users who may see people get a link to the author's page. */
function Author({ record: { user } }: { record: Entry }) {
  const nameOf = useTitleOf(resources.users)
  const may = useMay(resources.users)
  const [people] = screensOf(resources.users).filter(({ path }) => path === 'people/users')
  if (!isEntry(user)) return null
  const name = nameOf(user)
  return (
    <Sheet hasPadding>
      <h2 className="mb-3.5 text-lg font-semibold">{labelOf(tradinposts, 'user')}</h2>
      <div className="flex items-center gap-3">
        <Avatar name={name} />
        {people && may('get') ? (
          <Link {...recordAddress(people, user.id)} className="font-semibold hover:text-brand-text">
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi className="font-semibold">{name}</bdi>
        )}
      </div>
    </Sheet>
  )
}

export const postOverview: OverviewSlots = { Overview: PostPage, Line: PostLine }
