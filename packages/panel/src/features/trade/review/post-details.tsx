/** The details and the description of a reviewed post, as buyers read them. */
import { resources } from '@dala/model'
import type { ReactNode } from 'react'
import { FieldDisplay, labelOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { PostPlace, PostPrice, useUnitLabel } from '../post-parts.tsx'
import { PriceScale } from './price-scale.tsx'
import type { ReviewedPostProps } from './reviewed-post-props.ts'
import { MarkedText } from './side-by-side.tsx'

const { tradinposts } = resources

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[92px_minmax(0,1fr)] gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** Details of a post for buyers, with the price among others. */
export function PostDetails({ record, review }: Pick<ReviewedPostProps, 'record' | 'review'>) {
  const t = useT()
  const unitOf = useUnitLabel()
  const { phone, amount, unit, delivery } = record
  return (
    <div className="grid gap-2.5">
      <dl>
        <Row label={labelOf(tradinposts, 'price')}>
          <span className="text-lg font-semibold">
            <PostPrice post={record} />
          </span>
        </Row>
      </dl>
      <div className="border-b border-line pb-3">
        <PriceScale scale={review.price} />
      </div>
      <dl className="grid gap-2.5">
        <Row label={labelOf(tradinposts, 'amount')}>
          {typeof amount === 'number' ? (
            <>
              <FieldDisplay resource={tradinposts} name="amount" value={amount} /> {unitOf(unit)},{' '}
            </>
          ) : null}
          {t(delivery === true ? 'delivery.true' : 'delivery.false')}
        </Row>
        {(['tradingpostcategory', 'product'] as const)
          .filter((name) => record[name])
          .map((name) => (
            <Row key={name} label={labelOf(tradinposts, name)}>
              <FieldDisplay resource={tradinposts} name={name} value={record[name]} />
            </Row>
          ))}
        <Row label={labelOf(tradinposts, 'district')}>
          <PostPlace post={record} />
        </Row>
        <Row label={labelOf(tradinposts, 'phone')}>
          {typeof phone === 'string' && phone !== '' ? <bdi dir="ltr">{phone}</bdi> : '—'}
        </Row>
      </dl>
    </div>
  )
}

/** Description of a trading post; an edited one is among the versions instead. */
export function Description({
  record: { description },
  review,
  lang,
}: Pick<ReviewedPostProps, 'record' | 'review' | 'lang'>) {
  const t = useT()
  const isChanged = review.edit?.changes.some(({ field, locale }) => field === 'description' && locale === lang)
  if (typeof description !== 'string' || description === '' || isChanged) return null
  return (
    <section aria-label={labelOf(tradinposts, 'description')}>
      <p lang={lang} className="max-w-[68ch] leading-read whitespace-pre-line wrap-anywhere">
        <MarkedText text={description} marks={review.contacts} />
      </p>
      {review.contacts.length > 0 ? <span className="sr-only">{t('moderation.hint.contact')}</span> : null}
    </section>
  )
}
