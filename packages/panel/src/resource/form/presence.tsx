/** The other people who have the record open, and the language they write in. */
import { localeNames, type Locale, type Resource } from '@dala/model'
import { useEffect, useState } from 'react'
import { joinEditors, type Editor } from '../../api/live.ts'
import { useT } from '../../lib/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'

interface FormPresenceProps {
  resource: Resource
  id: number
  language: Locale
}

export function FormPresence({ resource, id, language }: FormPresenceProps) {
  const t = useT()
  const [people, setPeople] = useState<readonly Editor[]>([])
  const { wire, localized } = resource
  useEffect(
    () => joinEditors({ resource: wire, id, locale: localized ? language : null }, setPeople),
    [wire, localized, id, language],
  )
  return (
    <ul
      aria-label={t('live.alsoHere')}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-2 text-sm empty:hidden"
    >
      {people.map(({ id: person, name, locale }) => (
        <li key={`${person}/${locale}`} className="flex items-center gap-2">
          <Avatar name={name} />
          <span>
            {name}
            {locale ? (
              <>
                {' · '}
                <span lang={locale} className={locale === language ? 'font-semibold text-ink' : ''}>
                  {localeNames[locale]}
                </span>
              </>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  )
}
