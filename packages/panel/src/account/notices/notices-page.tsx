/** How notices reach the user: a table of their kinds, with the inbox, letters and browsers. */
import { type LetterChoice, letterChoices } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import UserRound from 'lucide-react/icons/user-round'
import type { ReactNode } from 'react'
import { useObstacle } from '../../api/use-obstacle.ts'
import { cx } from '../../lib/class-names.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { choicesQuery, type KindChoice, useChoose } from './choices.ts'
import { PushPart } from './push-switch.tsx'

export function NoticesPage() {
  const t = useT()
  const query = useQuery(choicesQuery)
  const title = t('nav.noticeSettings')
  useDocumentTitle(title)
  return (
    <div className="max-w-[860px]">
      <PageHead
        title={title}
        text={t('account.notices.about')}
        actions={
          <Link to="/app/profile" className={buttonClass('plain')}>
            <UserRound size={16} aria-hidden />
            {t('nav.profile')}
          </Link>
        }
      />
      <div className="mb-8 grid gap-3">
        {query.data && query.data.kinds.length > 0 ? <PushPart /> : null}
        <Sheet hasPadding aria-label={title}>
          <LoadedPart query={query} rows={8}>
            {({ kinds }) =>
              kinds.length === 0 ? (
                <p className="text-muted">{t('account.notices.none')}</p>
              ) : (
                <ChoicesTable kinds={kinds} />
              )
            }
          </LoadedPart>
        </Sheet>
        <p className="text-sm text-muted">{t('account.notices.hours')}</p>
      </div>
    </div>
  )
}

const headCellClass = 'border-b border-line py-2 pe-3 text-start text-sm font-medium text-muted'
/** On a phone each row is a block: the event, and below it, under headings, the ways in which it is sent. */
const cell =
  'py-1.5 pe-3 align-middle md:border-b md:border-line max-md:grid max-md:content-between max-md:gap-1 max-md:p-0'

function ChoicesTable({ kinds }: { kinds: readonly KindChoice[] }) {
  const t = useT()
  return (
    <table className="w-full border-separate border-spacing-0 max-md:block">
      <caption className="sr-only">{t('nav.noticeSettings')}</caption>
      <thead className="max-md:sr-only">
        <tr>
          <th scope="col" className={headCellClass}>
            {t('account.notices.event')}
          </th>
          {ways.map((deliveryWay) => (
            <th key={deliveryWay} scope="col" className={headCellClass}>
              {t(`account.notices.${deliveryWay}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block max-md:divide-y max-md:divide-line">
        {kinds.map((choice) => (
          <ChoiceRow key={choice.kind} choice={choice} />
        ))}
      </tbody>
    </table>
  )
}

/** Ways in which a notice reaches the user, in the order of their columns. */
const ways = ['inbox', 'letter', 'push'] as const

function WayCell({
  way,
  className,
  children,
}: {
  way: (typeof ways)[number]
  className?: string
  children: ReactNode
}) {
  const t = useT()
  return (
    <td className={cx(cell, className)}>
      <span aria-hidden className="text-sm text-muted md:hidden">
        {t(`account.notices.${way}`)}
      </span>
      {children}
    </td>
  )
}

function ChoiceRow({ choice: { kind, inbox, letter, push } }: { choice: KindChoice }) {
  const t = useT()
  const choose = useChoose()
  const obstacleText = useObstacle()
  const event = t(`account.notices.kinds.${kind}`)
  const nameOf = (deliveryWay: (typeof ways)[number]) =>
    t('account.notices.of', { way: t(`account.notices.${deliveryWay}`), event })
  return (
    <tr className="max-md:grid max-md:grid-cols-[auto_1fr_auto] max-md:gap-x-4 max-md:gap-y-2 max-md:py-4">
      <th scope="row" className={cx(cell, 'text-start font-normal wrap-anywhere max-md:col-span-3 max-md:font-medium')}>
        {event}
      </th>
      <WayCell way="inbox">
        <SwitchSlot>
          <Switch
            checked={inbox}
            disabled={obstacleText}
            onCheckedChange={(on) => choose({ kind, inbox: on })}
            aria-label={nameOf('inbox')}
          />
        </SwitchSlot>
      </WayCell>
      <WayCell way="letter" className="md:w-44">
        <Select<LetterChoice>
          value={letter}
          disabled={obstacleText}
          onValueChange={(chosenLetter) => choose({ kind, letter: chosenLetter })}
          choices={letterChoices.map((value) => ({ value, label: t(`account.notices.letter.${value}`) }))}
          aria-label={nameOf('letter')}
        />
      </WayCell>
      <WayCell way="push">
        <SwitchSlot>
          <Switch
            checked={push}
            disabled={obstacleText}
            onCheckedChange={(on) => choose({ kind, push: on })}
            aria-label={nameOf('push')}
          />
        </SwitchSlot>
      </WayCell>
    </tr>
  )
}

/** Centres a switch in the height of the select beside it. */
const SwitchSlot = ({ children }: { children: ReactNode }) => (
  <span className="flex items-center max-md:min-h-11">{children}</span>
)
