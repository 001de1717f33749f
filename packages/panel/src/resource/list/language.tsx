/** Select for the content language of a list. */
import { isLocale, localeNames, locales } from '@dala/model'
import Languages from 'lucide-react/icons/languages'
import { useT } from '../../lib/i18n.ts'
import { Select } from '../../ui/inputs/select.tsx'
import { setSearch } from './list-session.ts'
import type { ResourceList } from './use-resource-list.ts'

export function ListLanguage({ list, className }: { list: ResourceList; className?: string }) {
  const t = useT()
  return (
    <Select
      variant="filter"
      aria-label={t('lang.content')}
      icon={<Languages size={16} aria-hidden className="text-muted" />}
      value={list.query.language}
      onValueChange={(lang) => isLocale(lang) && list.go(setSearch(list, { lang }))}
      choices={locales.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale }))}
      {...(className === undefined ? {} : { className })}
    />
  )
}
