/** The user's own account: the shared form with the fields that users may edit themselves. */
import { isLocale, isScript, writtenLocale, writtenLocaleNames } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import BellRing from 'lucide-react/icons/bell-ring'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useEffect } from 'react'
import { meQuery } from '../../api/session.ts'
import { FieldInput, type FieldInputProps } from '../../fields/field-input.tsx'
import { useT } from '../../lib/i18n.ts'
import { chooseLanguage, usePreferences, writtenLanguage } from '../../lib/preferences.ts'
import { UserBoundary } from '../../resource/with-user.tsx'
import { FormScreen } from '../../resource/form/form-screen.tsx'
import { useFormValues } from '../../resource/form/sections.tsx'
import type { FormSlotProps, FormSlots } from '../../resource/screen-parts.ts'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { profileScreen } from './profile-screen.ts'

/** The language of e-mails and notices; the panel's language is stored in this browser, and can follow it. */
function LanguageInput(input: FieldInputProps & FormSlotProps) {
  const t = useT()
  const panelLanguage = writtenLanguage(usePreferences())
  const { script } = useFormValues(input.form, input.language)
  const chosenLanguage = isLocale(input.value)
    ? writtenLocale(input.value, isScript(script) ? script : undefined)
    : panelLanguage
  return (
    <div className="grid gap-1.5">
      <FieldInput {...input} />
      <p className="text-sm text-muted">{t('account.language.about')}</p>
      {chosenLanguage === panelLanguage ? null : (
        <LinkButton className="justify-self-start text-start text-sm" onClick={() => chooseLanguage(chosenLanguage)}>
          {t('account.language.switch', { language: writtenLocaleNames[chosenLanguage] })}
        </LinkButton>
      )}
    </div>
  )
}

function AccountLinks() {
  const t = useT()
  return (
    <>
      <Link to="/app/profile/notifications" className={buttonClass('plain')}>
        <BellRing size={16} aria-hidden />
        {t('nav.noticeSettings')}
      </Link>
      <Link to="/app/profile/security" className={buttonClass('plain')}>
        <ShieldCheck size={16} aria-hidden />
        {t('nav.security')}
      </Link>
    </>
  )
}

/** Updates the name and the photo of the top bar after they are saved. */
function SavedProfileSync({ form }: FormSlotProps) {
  const cache = useQueryClient()
  const { isSuccess, submittedAt } = form.save
  useEffect(() => {
    if (isSuccess) void cache.invalidateQueries({ queryKey: meQuery.queryKey })
  }, [cache, isSuccess, submittedAt])
  return null
}

const slots: FormSlots = { inputs: { language: LanguageInput }, Actions: AccountLinks, Below: SavedProfileSync }

export function ProfilePage() {
  return (
    <UserBoundary>{(me) => <FormScreen screen={profileScreen} index={String(me.id)} slots={slots} />}</UserBoundary>
  )
}
