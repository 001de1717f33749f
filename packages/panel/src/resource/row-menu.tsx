/** What can be done with one row: open it, add a missing language, move it, delete it. */
import { type Entry, localeNames, locales, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import Languages from 'lucide-react/icons/languages'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useTitleOf } from '../fields/field-display.tsx'
import { useT } from '../lib/i18n.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { languagesOf } from './entry-languages.ts'
import { editAddress, seenAddress } from './screen-address.ts'
import type { ListParts } from './screen-parts.ts'
import { useMay } from './use-may.ts'

export interface RowMenuProps {
  screen: Screen
  entry: Entry
  /** Entries of the screen's own. */
  items?: ListParts['rowItems'] | undefined
  onDelete: () => void
  /** Where the row may go, when rows have an order of their own. */
  moves?: { up: (() => void) | undefined; down: (() => void) | undefined } | undefined
}

/** The ways of a row among those in sight: the first has none up, the last none down. */
export function movesOf(
  entries: readonly Entry[],
  entry: Entry,
  onMove: ((entry: Entry, by: -1 | 1) => void) | undefined,
): RowMenuProps['moves'] {
  if (!onMove || entries.length < 2) return undefined
  return {
    up: entry === entries[0] ? undefined : () => onMove(entry, -1),
    down: entry === entries.at(-1) ? undefined : () => onMove(entry, 1),
  }
}

export function RowMenu({ screen, entry, items, onDelete, moves }: RowMenuProps) {
  const t = useT()
  const { resource } = screen
  const may = useMay(resource)
  const titleOf = useTitleOf(resource)
  const { to, search } = editAddress(screen, entry.id)
  const present = languagesOf(entry)
  const missing = resource.localized ? locales.filter((locale) => !present.includes(locale)) : []
  return (
    <Menu
      trigger={
        <IconButton label={t('list.actionsFor', { name: titleOf(entry) })} icon={<Ellipsis size={18} aria-hidden />} />
      }
    >
      {(menu) => (
        <>
          {screen.overview ? (
            <menu.Item render={<Link {...seenAddress(screen, entry.id)} />} icon={<Eye size={16} aria-hidden />}>
              {t('action.view')}
            </menu.Item>
          ) : null}
          {items?.(entry, menu)}
          {may('update', entry) ? (
            <menu.Item render={<Link to={to} search={search} />} icon={<Pencil size={16} aria-hidden />}>
              {t('action.edit')}
            </menu.Item>
          ) : null}
          {(may('update', entry) ? missing : []).map((locale) => (
            <menu.Item
              key={locale}
              render={<Link to={to} search={{ ...search, lang: locale }} />}
              icon={<Languages size={16} aria-hidden />}
            >
              {t('action.addTranslation')}: <span lang={locale}>{localeNames[locale]}</span>
            </menu.Item>
          ))}
          {moves ? (
            <>
              <menu.Item disabled={!moves.up} onClick={() => moves.up?.()} icon={<ArrowUp size={16} aria-hidden />}>
                {t('action.moveUp')}
              </menu.Item>
              <menu.Item
                disabled={!moves.down}
                onClick={() => moves.down?.()}
                icon={<ArrowDown size={16} aria-hidden />}
              >
                {t('action.moveDown')}
              </menu.Item>
            </>
          ) : null}
          {may('remove', entry) ? (
            <menu.Item danger onClick={onDelete} icon={<Trash2 size={16} aria-hidden />}>
              {t('action.delete')}
            </menu.Item>
          ) : null}
        </>
      )}
    </Menu>
  )
}
