/** How notices reach the user: a table of their kinds, with the inbox and letters. */
import { type LetterChoice, letterChoices } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import UserRound from 'lucide-react/icons/user-round'
import { useObstacle } from '../../api/use-obstacle.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { choicesQuery, type KindChoice, useChoose } from './choices.ts'

export function NoticesPage() {
  const t = useT()
  const query = useQuery(choicesQuery)
  const title = t('account.notices.title')
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
        <Sheet padded aria-label={title}>
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
const cell = 'border-b border-line py-1.5 pe-3 align-middle'

function ChoicesTable({ kinds }: { kinds: readonly KindChoice[] }) {
  const t = useT()
  return (
    <table className="w-full border-separate border-spacing-0">
      <caption className="sr-only">{t('account.notices.title')}</caption>
      <thead>
        <tr>
          <th scope="col" className={headCellClass}>
            {t('account.notices.event')}
          </th>
          <th scope="col" className={headCellClass}>
            {t('account.notices.inbox')}
          </th>
          <th scope="col" className={headCellClass}>
            {t('account.notices.letter')}
          </th>
        </tr>
      </thead>
      <tbody>
        {kinds.map((choice) => (
          <ChoiceRow key={choice.kind} choice={choice} />
        ))}
      </tbody>
    </table>
  )
}

function ChoiceRow({ choice: { kind, inbox, letter } }: { choice: KindChoice }) {
  const t = useT()
  const choose = useChoose()
  const disabled = useObstacle()
  const event = t(`account.notices.kinds.${kind}`)
  return (
    <tr>
      <th scope="row" className={`${cell} text-start font-normal wrap-anywhere`}>
        {event}
      </th>
      <td className={cell}>
        <Switch
          checked={inbox}
          disabled={disabled}
          onCheckedChange={(on) => choose({ kind, inbox: on })}
          aria-label={t('account.notices.of', { way: t('account.notices.inbox'), event })}
        />
      </td>
      <td className={`${cell} w-44 max-md:w-32`}>
        <Select<LetterChoice>
          value={letter}
          disabled={disabled}
          onValueChange={(chosen) => choose({ kind, letter: chosen })}
          choices={letterChoices.map((value) => ({ value, label: t(`account.notices.letter.${value}`) }))}
          aria-label={t('account.notices.of', { way: t('account.notices.letter'), event })}
        />
      </td>
    </tr>
  )
}
