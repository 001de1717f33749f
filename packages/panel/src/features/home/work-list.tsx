/** The list of work on the home page: groups with their most urgent rows, each with its action. */
import { type HomeAnswer, type HomeGroup, type HomeRow } from '@dala/model'
import type { ComponentType } from 'react'
import { Suspense, useRef, useState } from 'react'
import type { CurrentUser } from '../../api/session.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { keyCapsOf, shortcuts } from '../../lib/keys/shortcuts.ts'
import { KeyCaps } from '../../ui/key-caps.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { WorkGroup } from './work-group.tsx'
import { useHomeKeys } from './use-home-keys.ts'

/** Dialog that assigns or hands over the record of a row of work. */
export interface RowDialogProps {
  group: HomeGroup['key']
  row: HomeRow
  me: CurrentUser
  onClose: () => void
}

/** Dialogs of other features that the home page opens. */
export interface RowDialogs {
  Room: ComponentType<RowDialogProps>
  Consultation: ComponentType<RowDialogProps>
}

export interface WorkListProps {
  answer: HomeAnswer
  me: CurrentUser
  now: Date
  refreshHome: () => Promise<void>
  dialogs: RowDialogs
}

/** Name of a row of open work, unique on the home page. */
const nameOfRow = ({ key }: HomeGroup, { ref }: HomeRow) => `${key} ${ref}`

export function WorkList({ answer, me, now, refreshHome: refresh, dialogs }: WorkListProps) {
  const t = useT()
  const locale = useLocale()
  const root = useRef<HTMLElement>(null)
  const { groups, totals, scope } = answer.data
  const [firstName] = groups.flatMap((group) => group.rows.map((row) => nameOfRow(group, row)))
  const [chosenRow, setChosenRow] = useState<string>()
  const [openRow, setOpen] = useState<Pick<RowDialogProps, 'group' | 'row'>>()
  useHomeKeys(root, setChosenRow)
  const names = groups.flatMap((group) => group.rows.map((row) => nameOfRow(group, row)))
  const currentName = chosenRow !== undefined && names.includes(chosenRow) ? chosenRow : firstName
  const Dialog = openRow && (openRow.group === 'chats' ? dialogs.Room : dialogs.Consultation)
  return (
    <Sheet ref={root} isStrip aria-label={t('home.work')} className="min-w-0">
      {groups.map((group) => (
        <WorkGroup
          key={group.key}
          group={group}
          me={me}
          now={now}
          current={currentName}
          onDialog={(row) => setOpen({ group: group.key, row })}
          refreshHome={refresh}
        />
      ))}
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5 text-sm text-muted md:ps-[60px] md:pe-6">
        <span>
          {t('home.shown', {
            some: formatNumber(locale, names.length),
            shown: formatNumber(locale, Math.max(totals[scope] ?? 0, names.length)),
          })}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:hidden" aria-hidden>
          <KeyHint
            caps={[...shortcuts.home.down, ...shortcuts.home.up].flatMap(keyCapsOf)}
            label={t('home.keys.rows')}
          />
          <KeyHint caps={shortcuts.home.act.flatMap(keyCapsOf)} label={t('home.keys.act')} />
          <KeyHint caps={shortcuts.home.open.flatMap(keyCapsOf)} label={t('home.keys.open')} />
          <KeyHint caps={shortcuts.home.putOff.flatMap(keyCapsOf)} label={t('home.keys.putOff')} />
        </span>
      </p>
      {openRow && Dialog ? (
        <Suspense fallback={null}>
          <Dialog
            {...openRow}
            me={me}
            onClose={() => {
              setOpen(undefined)
              void refresh()
            }}
          />
        </Suspense>
      ) : null}
    </Sheet>
  )
}

function KeyHint({ caps, label }: { caps: readonly string[]; label: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <KeyCaps caps={caps} />
      {label}
    </span>
  )
}
