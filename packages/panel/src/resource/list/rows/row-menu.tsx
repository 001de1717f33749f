/** The menu of one row: opens its record, opens or adds a language, moves or deletes the record. */
import { type Entry, isLocale, localeNames, locales, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import Languages from 'lucide-react/icons/languages'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useTitleOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, type MenuParts } from '../../../ui/overlays/menu.tsx'
import { languagesOf } from '../../entry-languages.ts'
import { editAddress, recordAddress } from '../../screen-address.ts'
import type { RowHandlers, RowMoves } from './row-actions.ts'
import type { ListSlots } from '../../screen-parts.ts'
import { useMay } from '../../use-may.ts'

interface RowMenuProps extends Pick<RowHandlers, 'onDelete' | 'onMove'> {
  screen: Screen
  entry: Entry
  /** Items that the screen adds to the menu of a row. */
  items: ListSlots['rowItems'] | undefined
  allowedMoves: RowMoves
}

export function RowMenu(props: RowMenuProps) {
  const t = useT()
  const titleOf = useTitleOf(props.screen.resource)
  const name = titleOf(props.entry)
  return (
    <Menu trigger={<IconButton label={t('list.actionsFor', { name })} icon={<Ellipsis size={18} aria-hidden />} />}>
      {(menu) => <RowActions {...props} menu={menu} />}
    </Menu>
  )
}

/** Content of a row's open menu: each row has a menu, and most are never opened. */
function RowActions({
  screen,
  entry,
  items,
  allowedMoves,
  onDelete,
  onMove,
  menu,
}: RowMenuProps & { menu: MenuParts }) {
  const t = useT()
  const { resource } = screen
  const may = useMay(resource)
  const { to, search } = editAddress(screen, entry.id)
  const existingLanguages = languagesOf(entry)
  // The menu item "Edit" opens the form in the language of the row.
  const rowLanguage = isLocale(entry.locale) ? entry.locale : undefined
  const languages = resource.localized ? locales.filter((locale) => locale !== rowLanguage) : []
  return (
    <>
      {screen.overview ? (
        <menu.Item render={<Link {...recordAddress(screen, entry.id)} />} icon={<Eye size={16} aria-hidden />}>
          {t('action.view')}
        </menu.Item>
      ) : null}
      {items?.(entry, menu)}
      {may('update', entry) ? (
        <menu.Item render={<Link to={to} search={search} />} icon={<Pencil size={16} aria-hidden />}>
          {t('action.edit')}
        </menu.Item>
      ) : null}
      {(may('update', entry) ? languages : []).map((locale) => (
        <menu.Item
          key={locale}
          render={<Link to={to} search={{ ...search, lang: locale }} />}
          icon={<Languages size={16} aria-hidden />}
        >
          {t(existingLanguages.includes(locale) ? 'action.editTranslation' : 'action.addTranslation')}:{' '}
          <span lang={locale}>{localeNames[locale]}</span>
        </menu.Item>
      ))}
      {allowedMoves ? (
        <>
          <menu.Item
            disabled={allowedMoves === 'down' && t('list.isFirst')}
            onClick={() => onMove?.(entry, -1)}
            icon={<ArrowUp size={16} aria-hidden />}
          >
            {t('action.moveUp')}
          </menu.Item>
          <menu.Item
            disabled={allowedMoves === 'up' && t('list.isLast')}
            onClick={() => onMove?.(entry, 1)}
            icon={<ArrowDown size={16} aria-hidden />}
          >
            {t('action.moveDown')}
          </menu.Item>
        </>
      ) : null}
      {may('remove', entry) ? (
        <menu.Item isDangerous onClick={() => onDelete(entry)} icon={<Trash2 size={16} aria-hidden />}>
          {t('action.delete')}
        </menu.Item>
      ) : null}
    </>
  )
}
