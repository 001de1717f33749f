/** What can be done with one row: open it, add a missing language, delete it. */
import { type Entry, localeNames, locales, type Resource } from '@dala/model'
import { Link } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Languages from 'lucide-react/icons/languages'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useTitleOf } from '../fields/field-display.tsx'
import { useT } from '../lib/i18n.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { languagesOf } from './entry-languages.ts'

export function RowMenu({ resource, entry, onDelete }: { resource: Resource; entry: Entry; onDelete: () => void }) {
  const t = useT()
  const titleOf = useTitleOf(resource)
  const to = `/app/${resource.path}/${entry.id}`
  const present = languagesOf(entry)
  const missing = resource.localized ? locales.filter((locale) => !present.includes(locale)) : []
  return (
    <Menu
      trigger={
        <IconButton label={t('list.actionsFor', { name: titleOf(entry) })} icon={<Ellipsis size={18} aria-hidden />} />
      }
    >
      {({ Item }) => (
        <>
          <Item render={<Link to={to} />} icon={<Pencil size={16} aria-hidden />}>
            {t('action.edit')}
          </Item>
          {missing.map((locale) => (
            <Item
              key={locale}
              render={<Link to={to} search={{ lang: locale }} />}
              icon={<Languages size={16} aria-hidden />}
            >
              {t('action.addTranslation')}: <span lang={locale}>{localeNames[locale]}</span>
            </Item>
          ))}
          <Item danger onClick={onDelete} icon={<Trash2 size={16} aria-hidden />}>
            {t('action.delete')}
          </Item>
        </>
      )}
    </Menu>
  )
}
