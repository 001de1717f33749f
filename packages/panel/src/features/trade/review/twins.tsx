/** List of posts similar to the reviewed one, with the reasons. */
import type { Entry, PostTwin, Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Copy from 'lucide-react/icons/copy'
import { useId } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { CoverPicture } from '../../../fields/picture/cover.tsx'
import { isEntry } from '../../../fields/field-display.tsx'
import { formatDate, formatList, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { recordAddress } from '../../../resource/screen-address.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import { keyCapsOf, shortcuts } from '../../../lib/keys/shortcuts.ts'
import { GoodsFigure, PostFigure } from '../post-figure.tsx'

export interface TwinsProps {
  screen: Screen
  record: Entry
  twins: readonly PostTwin[]
  /** Opens a similar post beside the reviewed post. */
  onCompare: (id: number) => void
}

export function TwinPosts({ screen, record, twins, onCompare }: TwinsProps) {
  const t = useT()
  return (
    <section id="twins" aria-labelledby="twins-title" tabIndex={-1} className="rounded-2 border border-line outline-0">
      <h2 id="twins-title" className="flex items-center gap-2 border-b border-line px-3.5 py-2.5 font-semibold">
        <Copy size={16} aria-hidden className="text-warning-text" />
        {t('moderation.twins', { count: twins.length })}
      </h2>
      <ul>
        {twins.map((similarPost, index) => (
          <TwinPost
            key={similarPost.id}
            screen={screen}
            record={record}
            twin={similarPost}
            hasKey={index === 0}
            onCompare={() => onCompare(similarPost.id)}
          />
        ))}
      </ul>
    </section>
  )
}

/** Reasons why a post is similar, and the degree of similarity. */
export function TwinReasons({ twin }: { twin: PostTwin }) {
  const t = useT()
  const locale = useLocale()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {formatList(
        t,
        twin.same.map((sameField) => t(`moderation.same.${sameField}`)),
      )}
      <b className="rounded-1 bg-warning-soft px-2 py-0.5 font-semibold text-warning-text">
        {t('moderation.score', { percent: formatNumber(locale, Math.round(twin.score * 100)) })}
      </b>
    </p>
  )
}

const pictureClass = 'h-[60px] w-[72px] shrink-0 rounded-2 bg-sunken'

interface TwinProps extends Pick<TwinsProps, 'screen' | 'record'> {
  twin: PostTwin
  /** Whether the keyboard shortcut of the comparison opens this similar post. */
  hasKey: boolean
  onCompare: () => void
}

function TwinPost({ screen, record, twin, hasKey, onCompare }: TwinProps) {
  const t = useT()
  const locale = useLocale()
  const picture = fileAddress(twin.picture)
  const title = useId()
  return (
    <li className="grid gap-2.5 px-3.5 py-3 not-first:border-t not-first:border-line">
      <TwinReasons twin={twin} />
      <div className="flex flex-wrap items-center gap-3">
        {isEntry(record['mainPhoto']) ? (
          <CoverPicture file={record['mainPhoto']} width={72} className={pictureClass} />
        ) : (
          <span className={`grid place-items-center ${pictureClass}`}>
            <PostFigure post={record} size={40} />
          </span>
        )}
        <ArrowLeftRight size={16} aria-hidden className="text-muted" />
        {picture === undefined ? (
          <span className={`grid place-items-center ${pictureClass}`}>
            <GoodsFigure kind={twin.kind} size={40} />
          </span>
        ) : (
          <img src={picture} alt="" loading="lazy" className={`${pictureClass} object-cover`} />
        )}
        <span className="min-w-36 flex-1">
          <b id={title} className="block font-semibold wrap-anywhere">
            {twin.title}
          </b>
          <span className="block text-sm text-muted">
            {t('moderation.number', { id: formatNumber(locale, twin.id) })}, {formatDate(twin.createdAt)}
          </span>
          {twin.price === null ? null : (
            <span className="tabular-nums">
              {formatNumber(locale, twin.price)} {twin.currency}
            </span>
          )}
        </span>
        <span className="ms-auto flex flex-wrap gap-3">
          <Button onClick={onCompare} aria-haspopup="dialog" aria-describedby={title}>
            {t('moderation.compare')}
            {hasKey ? (
              <span className="ms-2 max-md:hidden">
                <KeyCaps caps={shortcuts.review.compare.flatMap(keyCapsOf)} />
              </span>
            ) : null}
          </Button>
          <Link {...recordAddress(screen, twin.id)} aria-describedby={title} className={buttonClass('plain')}>
            {t('moderation.openTwin')}
          </Link>
        </span>
      </div>
    </li>
  )
}
