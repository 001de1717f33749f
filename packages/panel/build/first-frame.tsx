/**
 * The frame of the sign-in form as HTML, shown by the page until the program has loaded. Its sizes match the
 * form that replaces it. It contains all languages; `first-paint.css` shows the chosen one.
 */
import { type MessageId, type WrittenLocale, writtenLocaleNames, writtenLocales } from '@dala/model'
import Eye from 'lucide-react/icons/eye'
import LogIn from 'lucide-react/icons/log-in'
import Moon from 'lucide-react/icons/moon'
import PaletteIcon from 'lucide-react/icons/palette'
import Sun from 'lucide-react/icons/sun'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { languageNameClass, languageNamesClass } from '../src/app/user/language-names-class.ts'
import { FieldsPicture } from '../src/app/user/plots.tsx'
import { buttonClass } from '../src/ui/button.tsx'
import { controlClass } from '../src/ui/inputs/control-class.ts'
import { iconButtonClass } from '../src/ui/icon-button.tsx'
import { TextMark } from '../src/ui/mark.tsx'

export type WordsOf = (locale: WrittenLocale) => Readonly<Record<string, string>>

const linkClass = 'inline-flex min-h-6 items-center font-semibold text-brand-text'

function Control({ label, aside, children }: { label: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3 self-end">
        <span className="text-sm font-medium">{label}</span>
        {aside}
      </div>
      <div className="grid min-w-0 content-start gap-1.5">{children}</div>
    </div>
  )
}

function Frame({ messageOf }: { messageOf: (id: MessageId) => ReactNode }) {
  return (
    <div id="frame">
      <div className="flex min-h-dvh">
        <aside className="relative hidden w-[38%] max-w-[520px] flex-col justify-between overflow-hidden bg-rail p-10 text-rail-text lg:flex">
          <FieldsPicture />
          <p className="relative flex items-center gap-3 text-lg font-semibold">
            <span className="text-rail-mark">
              <TextMark size={34} />
            </span>
            {messageOf('app.shortTitle')}
          </p>
          <p className="relative max-w-[34ch] text-xl leading-ui font-light">{messageOf('auth.signInAside')}</p>
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <div aria-hidden className="flex h-(--top-h) items-center justify-end gap-0.5 px-6 max-md:px-3.5">
            <span className="me-auto text-brand-text lg:hidden">
              <TextMark />
            </span>
            <span className={iconButtonClass}>
              <PaletteIcon size={19} />
            </span>
            <span className={iconButtonClass}>
              <Sun size={19} className="in-dark" />
              <Moon size={19} className="in-light" />
            </span>
          </div>
          <main
            aria-busy
            className="grid flex-1 content-center justify-items-center px-6 pt-4 pb-[12vh] max-md:content-start max-md:px-3.5"
          >
            <p className="sr-only">{messageOf('app.loading')}</p>
            <div aria-hidden className="of-login w-full max-w-[380px]">
              <div className={languageNamesClass}>
                {writtenLocales.map((locale) => (
                  <span key={locale} className={languageNameClass}>
                    {writtenLocaleNames[locale]}
                  </span>
                ))}
              </div>
              <p className="text-2xl leading-tight font-semibold tracking-[-0.012em]">
                {messageOf('auth.login.title')}
              </p>
              <p className="mt-1 mb-7 text-muted">{messageOf('auth.login.subtitle')}</p>
              <div className="grid gap-[18px]">
                <Control label={messageOf('field.identifier')}>
                  <span className={controlClass} />
                </Control>
                <Control
                  label={messageOf('field.password')}
                  aside={<span className={`${linkClass} text-sm`}>{messageOf('auth.login.forgot')}</span>}
                >
                  <div className="relative grid">
                    <span className={controlClass} />
                    <span className={`${iconButtonClass} absolute end-0.5 top-1/2 -translate-y-1/2`}>
                      <Eye size={18} />
                    </span>
                  </div>
                </Control>
                <span className={buttonClass('primary', 'w-full')}>
                  <LogIn size={17} className="mirrored" />
                  <span>{messageOf('auth.login.submit')}</span>
                </span>
              </div>
              <p className="mt-6 text-muted">
                {messageOf('auth.login.noAccount')}{' '}
                <span className={linkClass}>{messageOf('auth.register.submit')}</span>
              </p>
            </div>
          </main>
        </div>
      </div>
    </div>
  )
}

/**
 * Renders the frame of the page that is shown before the panel's code is loaded.
 *
 * @param wordsOf - Returns the catalogue of a language.
 * @returns The HTML in the page's root until the program replaces it.
 */
export function firstFrame(wordsOf: WordsOf): string {
  const messageOf = (id: MessageId) =>
    writtenLocales.map((locale) => (
      <span key={locale} lang={locale}>
        {wordsOf(locale)[id]}
      </span>
    ))
  return renderToStaticMarkup(<Frame messageOf={messageOf} />)
}
