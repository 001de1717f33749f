/**
 * The frame of the pages before signing in: a wide rail with fields seen from above, and the form beside it.
 */
import { isWrittenLocale, localeOf, scriptOf } from '@dala/model'
import { Outlet, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { suggestLanguage } from '../../lib/preferences.ts'
import { useAuthSettings } from '../../account/credentials/password-rules.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { OrganisationMark } from '../../ui/organisation-mark.tsx'
import { ModeButton, ThemeMenu } from '../shell/preference-menus.tsx'
import { useFocusOnNavigation } from '../use-focus-on-navigation.ts'
import { LanguageNames } from './language-names.tsx'
import { FieldsPicture } from './plots.tsx'

export function UserLayout() {
  const t = useT()
  const name = useAuthSettings().name[useLocale()]
  const main = useFocusOnNavigation()
  const { lang }: { lang?: unknown } = useSearch({ strict: false })
  // The link in an e-mail sets the language and the script of the page to those of the e-mail.
  useEffect(() => {
    if (isWrittenLocale(lang)) suggestLanguage(localeOf(lang), scriptOf(lang))
  }, [lang])
  return (
    <div className="flex min-h-dvh">
      <aside className="relative hidden w-[38%] max-w-[520px] flex-col justify-between overflow-hidden bg-rail p-10 text-rail-text lg:flex">
        <FieldsPicture />
        <p className="relative flex items-center gap-3 text-lg font-semibold">
          <span className="text-rail-mark">
            <OrganisationMark size={34} isLarge />
          </span>
          <span className="wrap-anywhere">{name ?? t('app.shortTitle')}</span>
        </p>
        <p className="relative max-w-[34ch] text-xl leading-ui font-light">{t('auth.signInAside')}</p>
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-(--top-h) items-center justify-end gap-0.5 px-6 max-md:px-3.5">
          <span className="me-auto flex min-w-0 items-center gap-2.5 text-brand-text lg:hidden">
            <OrganisationMark />
            {name ? <span className="truncate font-semibold text-ink">{name}</span> : null}
          </span>
          <ThemeMenu />
          <ModeButton />
        </header>
        <main
          ref={main}
          tabIndex={-1}
          className="grid flex-1 content-center justify-items-center px-6 pt-4 pb-[12vh] outline-0 max-md:content-start max-md:px-3.5"
        >
          <div className="w-full max-w-[380px]">
            <LanguageNames />
            <Outlet />
          </div>
        </main>
      </div>
    </div>
  )
}
