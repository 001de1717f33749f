/** Two similar posts in a full-screen dialog: their pictures side by side, and differences marked. */
import {
  type Entry,
  isLink,
  isLocale,
  type Locale,
  type PostTwin,
  resources,
  type Field,
  type Screen,
} from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import EqualNot from 'lucide-react/icons/equal-not'
import type { ReactNode } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { FieldDisplay, isEntry, labelOf, useTitleOf } from '../../../fields/field-display.tsx'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { keyCapsOf, shortcuts } from '../../../lib/keys/shortcuts.ts'
import { recordAddress } from '../../../resource/screen-address.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { PostGallery } from '../post-gallery.tsx'
import { PostPlace, PostPrice } from '../post-parts.tsx'
import { postQuery } from './review-data.ts'
import { differentMark, SideBySide, type SideName, type SideRow, TextSide } from './side-by-side.tsx'
import { TwinReasons } from './twins.tsx'

const { tradinposts, users } = resources
const fields: Readonly<Record<string, Field>> = tradinposts.fields

/** Compared fields of two trading posts, in order. */
const comparedFields = [
  'title',
  'price',
  'amount',
  'tradingposttype',
  'tradingpostcategory',
  'product',
  'delivery',
  'district',
  'phone',
  'user',
  'description',
] as const

export interface CompareProps {
  screen: Screen
  /** Trading post under review, with its edit applied. */
  post: Entry
  twins: readonly PostTwin[]
  /** Id of the similar post that is compared. */
  chosenId: number
  open: boolean
  /** Contacts in the text of the reviewed post. */
  marks: readonly string[]
  onChoose: (id: number) => void
  onClose: () => void
}

/** Comparison of two trading posts in a dialog over the whole window. */
export function CompareDialog({ screen, post, twins, chosenId, open, marks, onChoose, onClose }: CompareProps) {
  const t = useT()
  const locale = useLocale()
  const chosenTwin = twins.find(({ id }) => id === chosenId)
  const twinPost = useQuery(postQuery(chosenId, locale))
  const numberOf = (id: number) => t('moderation.number', { id: formatNumber(locale, id) })
  return (
    <Dialog
      open={open}
      isFullScreen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={t('moderation.compareTitle')}
      actions={
        <>
          <Link {...recordAddress(screen, chosenId)} className={buttonClass('plain')}>
            {t('moderation.openTwin')}
          </Link>
          <Button onClick={onClose}>
            {t('action.close')}
            <span className="ms-2 max-md:hidden">
              <KeyCaps caps={shortcuts.review.clear.flatMap(keyCapsOf)} />
            </span>
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-3">
          {twins.length > 1 ? (
            <SegmentedControl
              label={t('moderation.hint.twin')}
              value={String(chosenId)}
              onValueChange={(id) => onChoose(Number(id))}
              segments={twins.map(({ id }) => ({ value: String(id), label: numberOf(id) }))}
            />
          ) : null}
          {chosenTwin ? <TwinReasons twin={chosenTwin} /> : null}
        </div>
        {twinPost.data ? (
          <ComparedPosts posts={[post, twinPost.data]} numberOf={numberOf} marks={marks} />
        ) : twinPost.error ? (
          <FailureState
            title={t('form.failed')}
            text={messageOfFailure(twinPost.error)}
            onRetry={() => void twinPost.refetch()}
          />
        ) : (
          <DelayedContent>
            <Skeleton className="h-64 w-full" />
          </DelayedContent>
        )}
      </div>
    </Dialog>
  )
}

interface PostsProps {
  posts: readonly [Entry, Entry]
  numberOf: (id: number) => string
  marks: readonly string[]
}

/** Pictures of both compared posts, and their fields below. */
function ComparedPosts({ posts, numberOf, marks }: PostsProps) {
  const t = useT()
  const [post, similarPost] = posts
  const renderHead = (label: string, { id, status, createdAt }: Entry) => (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      {label}
      <span className="text-sm font-normal text-muted">
        {numberOf(id)}, {formatDate(String(createdAt))}
      </span>
      <span className="text-sm font-normal">
        <FieldDisplay resource={tradinposts} name="status" value={status} />
      </span>
    </span>
  )
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-4 max-md:gap-2.5">
        {posts.map((comparedPost, index) => (
          <section
            key={comparedPost.id}
            aria-label={t(index === 0 ? 'moderation.thisPost' : 'moderation.hint.twin')}
            className="mx-auto w-full max-w-[420px] min-w-0"
          >
            <PostGallery post={comparedPost} />
          </section>
        ))}
      </div>
      <div className="overflow-hidden rounded-2 border border-line [&_tr:last-child>*]:border-b-0">
        <SideBySide
          before={renderHead(t('moderation.thisPost'), post)}
          after={renderHead(t('moderation.hint.twin'), similarPost)}
          rows={useRows(post, similarPost, marks)}
        />
      </div>
    </>
  )
}

const localeOf = ({ locale }: Entry): Locale | undefined => (isLocale(locale) ? locale : undefined)

/** Value of a field for the comparison: linked records by their id, phone numbers by their digits. */
function keyOf(post: Entry, name: string): unknown {
  const value = post[name]
  const field = fields[name]
  if (name === 'phone') return typeof value === 'string' ? value.replace(/\D/g, '') : ''
  if (name === 'price') return JSON.stringify([value, post['currency'], isEntry(post['unit']) ? post['unit'].id : null])
  if (field && isLink(field)) return isEntry(value) ? value.id : null
  return value ?? null
}

const isBlank = (value: unknown) => value === null || value === undefined || value === ''

function useRows(post: Entry, similarPost: Entry, marks: readonly string[]): SideRow[] {
  const t = useT()
  const authorOf = useTitleOf(users)
  const renderValue = (comparedPost: Entry, name: (typeof comparedFields)[number]): ReactNode => {
    const value = comparedPost[name]
    if (name === 'price') return <PostPrice post={comparedPost} />
    if (name === 'district') return <PostPlace post={comparedPost} />
    if (name === 'delivery') return t(value === true ? 'delivery.true' : 'delivery.false')
    if (isBlank(value)) return '—'
    if (name === 'phone' && typeof value === 'string') return <bdi dir="ltr">{value}</bdi>
    if (name === 'user') return isEntry(value) ? <bdi>{authorOf(value)}</bdi> : '—'
    return <FieldDisplay resource={tradinposts} name={name} value={value} />
  }
  return comparedFields
    .filter((name) => name === 'price' || name === 'district' || !isBlank(post[name]) || !isBlank(similarPost[name]))
    .map((name) => {
      const isDifferent = keyOf(post, name) !== keyOf(similarPost, name)
      const isText = name === 'title' || name === 'description'
      const makeSide = (comparedPost: Entry, sideName: SideName) =>
        isText ? (
          <TextSide
            isEqual
            before={post[name]}
            after={similarPost[name]}
            side={sideName}
            marks={sideName === 'before' ? marks : []}
          />
        ) : isDifferent ? (
          <mark className={`${differentMark} inline-block px-1`}>{renderValue(comparedPost, name)}</mark>
        ) : (
          renderValue(comparedPost, name)
        )
      return {
        key: name,
        label: (
          <span className="inline-flex items-center gap-1">
            {labelOf(tradinposts, name)}
            {isDifferent ? (
              <>
                <EqualNot size={14} aria-hidden className="text-warning-text" />
                <span className="sr-only">{t('moderation.different')}</span>
              </>
            ) : null}
          </span>
        ),
        ...(isText && { lang: { before: localeOf(post), after: localeOf(similarPost) } }),
        before: makeSide(post, 'before'),
        after: makeSide(similarPost, 'after'),
      }
    })
}
