/** The decision on a post: its author, the three choices, the reasons, and the text the author will read. */
import { type Entry, type Locale, locales, type PostReview, readTranslations } from '@dala/model'
import Flag from 'lucide-react/icons/flag'
import Lock from 'lucide-react/icons/lock'
import Plus from 'lucide-react/icons/plus'
import Send from 'lucide-react/icons/send'
import { useState } from 'react'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { keyCapsOf, shortcuts } from '../../../lib/keys/shortcuts.ts'
import { cx } from '../../../lib/class-names.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { FailureLine, Field } from '../../../ui/inputs/field.tsx'
import { StatusChip } from '../../../ui/feedback/status-chip.tsx'
import { Textarea } from '../../../ui/inputs/input.tsx'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import type { DisabledReason } from '../../../ui/disabled-reason.tsx'
import type { Choice, Draft } from './use-draft.ts'

const textIn = (value: unknown, locale: Locale): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? (readTranslations(value, locale) ?? '')
      : ''

/** Author of the reviewed post and their history. */
export function AuthorDetails({ author }: { author: NonNullable<PostReview['author']> }) {
  const t = useT()
  const locale = useLocale()
  return (
    <div className="grid gap-2.5">
      <div className="flex items-center gap-3">
        <Avatar name={author.name} />
        <div className="min-w-0">
          <p className="flex items-center gap-2 font-semibold">
            <bdi className="truncate">{author.name}</bdi>
            <span className="rounded-1 bg-brand-soft px-1.5 text-xs font-medium text-on-brand-soft">
              {author.language}
            </span>
            {author.blocked ? <StatusChip tone="bad">{t('field.blocked')}</StatusChip> : null}
          </p>
          <p className="text-sm text-muted">{t('moderation.author.since', { date: formatDate(author.since) })}</p>
        </div>
      </div>
      <p className="flex flex-wrap gap-x-3.5 text-sm text-muted">
        {(['posts', 'refusals', 'reports'] as const).map((name) => (
          <span key={name}>
            {t(`moderation.author.${name}`, { count: author[name], shown: formatNumber(locale, author[name]) })}
          </span>
        ))}
      </p>
    </div>
  )
}

/** Codes of reasons that hints about the post point to. */
export function flaggedReasons({ contacts, twins, words, price }: PostReview): ReadonlySet<string> {
  return new Set([
    ...(contacts.length > 0 ? ['contact_in_text'] : []),
    ...(twins.length > 0 ? ['duplicate'] : []),
    ...(words.length > 0 ? ['forbidden'] : []),
    ...(price?.verdict === 'far' ? ['price_unlikely'] : []),
  ])
}

/** Number of reasons with a keyboard shortcut, from the first one on. */
export const keyedReasons = 6

export interface DecisionProps {
  review: PostReview
  draft: Draft
  reasons: readonly Entry[]
  /** Choices that the state of the post allows the moderator. */
  choices: readonly Choice[]
  isBusy: boolean
  failure: string | undefined
  disabled: DisabledReason
  onSend: () => void
  onChoose: (choice: Choice) => void
}

export function Decision({
  review,
  draft,
  reasons,
  choices,
  isBusy: isSending,
  failure,
  disabled,
  onSend,
  onChoose,
}: DecisionProps) {
  const t = useT()
  const { choice } = draft
  return (
    <div className="grid content-start gap-4">
      <fieldset className="grid grid-cols-3 gap-2 max-md:hidden">
        <legend className="sr-only">{t('tradinposts.decision')}</legend>
        {(['processed', 'needs_changes', 'rejected'] as const).map((targetState) => (
          <ChoiceButton
            key={targetState}
            to={targetState}
            isChosen={choice === targetState}
            isPossible={choices.includes(targetState)}
            onChoose={onChoose}
          />
        ))}
      </fieldset>
      {choice === 'needs_changes' || choice === 'rejected' ? (
        <DecisionReasons
          flaggedCodes={flaggedReasons(review)}
          authorLanguage={review.author?.language}
          draft={draft}
          reasons={reasons}
          choice={choice}
        />
      ) : null}
      <StaffNote draft={draft} />
      <FailureLine>{failure}</FailureLine>
      <div className="sticky -bottom-3.5 grid gap-1.5 bg-surface pt-2 pb-1">
        <Button
          kind={choice === 'rejected' ? 'danger' : 'primary'}
          isBusy={isSending}
          disabled={disabled}
          onClick={onSend}
          icon={<Send size={16} aria-hidden />}
        >
          {t(choice === undefined ? 'moderation.choose' : `moderation.send.${choice}`)}
          <span aria-hidden className="ms-2 text-xs max-md:hidden">
            Ctrl ↵
          </span>
        </Button>
        <p className="text-center text-sm text-muted">
          {review.edit
            ? t(choice === 'processed' ? 'moderation.after.edit' : 'moderation.after.kept')
            : t('moderation.after.post')}
        </p>
      </div>
    </div>
  )
}

const shortcutNames = { processed: 'approve', needs_changes: 'change', rejected: 'reject' } as const

function ChoiceButton({
  to,
  isChosen,
  isPossible,
  onChoose,
}: {
  to: Choice
  isChosen: boolean
  isPossible: boolean
  onChoose: (choice: Choice) => void
}) {
  const t = useT()
  return (
    <Button
      aria-pressed={isChosen}
      disabled={!isPossible && t('moderation.notNow')}
      onClick={() => onChoose(to)}
      className={cx('px-1! text-sm', isChosen && 'border-brand-ui! bg-brand-soft! text-on-brand-soft!')}
    >
      <span className="inline-flex items-center gap-1">
        {t(`moderation.choice.${to}`)}
        <kbd className="rounded-1 border border-line bg-sunken px-1 font-sans text-xs leading-tight font-semibold text-ink">
          {shortcuts.review[shortcutNames[to]].flatMap(keyCapsOf)}
        </kbd>
      </span>
    </Button>
  )
}

/** List of reasons for a decision, and their text in the language of the post's author. */
export function DecisionReasons({
  flaggedCodes,
  authorLanguage: language,
  draft,
  reasons,
  choice,
}: Pick<DecisionProps, 'draft' | 'reasons'> & {
  /** Codes of reasons that hints about the posts point to. */
  flaggedCodes: ReadonlySet<string>
  /** Language of the posts' author; that of the page if there are several authors. */
  authorLanguage: Locale | undefined
  choice: 'needs_changes' | 'rejected'
}) {
  const t = useT()
  const reader = useLocale()
  const [isMine, setMine] = useState(false)
  const [isNoted, setNoted] = useState(draft.public_note !== '')
  const authorLanguage = language ?? reader
  const shownLanguage = isMine ? reader : authorLanguage
  const chosenReasons = reasons.filter(({ code }) => draft.reasons.includes(String(code)))
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-semibold">
          {t(choice === 'rejected' ? 'moderation.why' : 'moderation.whatToChange')}
        </legend>
        <ul className="overflow-hidden rounded-2 border border-line">
          {reasons.map((reason, index) => {
            const code = String(reason['code'])
            const isChosen = draft.reasons.includes(code)
            return (
              <li
                key={reason.id}
                className={cx('not-first:border-t not-first:border-line', isChosen && 'bg-brand-soft')}
              >
                <label className="flex min-h-[34px] cursor-pointer items-center gap-2.5 px-3 py-1 pointer-coarse:min-h-11">
                  <input
                    type="checkbox"
                    checked={isChosen}
                    onChange={() => draft.toggleReason(code)}
                    className="size-[18px] shrink-0 accent-(--brand-ui)"
                  />
                  <span className={cx('min-w-0 flex-1', isChosen && 'font-semibold')}>
                    {textIn(reason['label'], reader)}
                  </span>
                  {flaggedCodes.has(code) ? (
                    <>
                      <Flag size={15} aria-hidden className="shrink-0 text-warning-text" />
                      <span className="sr-only">{t('moderation.hinted')}</span>
                    </>
                  ) : null}
                  {index < keyedReasons ? (
                    <span className="max-md:hidden">
                      <KeyCaps caps={[String(index + 1)]} />
                    </span>
                  ) : null}
                </label>
              </li>
            )
          })}
        </ul>
      </fieldset>
      {chosenReasons.length > 0 ? (
        <div className="grid gap-1.5">
          <p className="flex flex-wrap items-center gap-x-2 font-semibold">
            {t('moderation.authorReads')}
            <span className="rounded-1 bg-brand-soft px-1.5 text-xs font-medium text-on-brand-soft">
              {authorLanguage}
            </span>
            {authorLanguage === reader ? null : (
              <LinkButton className="ms-auto text-sm" aria-pressed={isMine} onClick={() => setMine(!isMine)}>
                {t('moderation.inMyLanguage')}
              </LinkButton>
            )}
          </p>
          <p
            lang={locales.find((listedLocale) => listedLocale === shownLanguage)}
            className="rounded-2 border border-line px-3 py-2 leading-read wrap-anywhere"
          >
            {chosenReasons.map((reason) => textIn(reason['text'], shownLanguage)).join(' ')}
          </p>
        </div>
      ) : null}
      {isNoted ? (
        <Field label={t('moderation.publicNote')}>
          <Textarea
            rows={2}
            lang={authorLanguage}
            value={draft.public_note}
            onChange={(event) => draft.setNote('public_note', event.target.value)}
          />
        </Field>
      ) : (
        <LinkButton icon={<Plus size={15} aria-hidden />} className="justify-self-start" onClick={() => setNoted(true)}>
          {t('moderation.addNote')}
        </LinkButton>
      )}
    </>
  )
}

/** Note about the post for colleagues, which the author never sees. */
function StaffNote({ draft }: { draft: Draft }) {
  const t = useT()
  return (
    <Field
      label={
        <span className="inline-flex items-center gap-1.5">
          <Lock size={14} aria-hidden />
          {t('moderation.staffNote')} <span className="font-normal text-muted">{t('moderation.staffNoteHelp')}</span>
        </span>
      }
    >
      <Textarea
        rows={2}
        className="bg-sunken"
        value={draft.staff_note}
        onChange={(event) => draft.setNote('staff_note', event.target.value)}
      />
    </Field>
  )
}
