/** Invites a user by e-mail: the letter links to the page where they choose a password. */
import { isLocale, type Locale, localeNames, locales, resources, type Screen, validateField } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { callRoute } from '../../api/route.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { useLocale, useT } from '../../lib/i18n.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { leastRoleOf, useGrantable } from './use-grantable.ts'

const { users } = resources

interface Invitation {
  email: string
  name: string
  surname: string
  /** Id of the role granted to the invited user; null means the lowest role. */
  role: number | null
  language: Locale
  is_consultant: boolean
}

type Name = keyof Invitation

/** Refused values of the invitation by field; other failures are shown below the fields. */
function refusalOf(error: Error | null): { fieldErrors: Partial<Record<string, string>>; failure?: string } {
  if (!error) return { fieldErrors: {} }
  if (!(error instanceof ApiError)) return { fieldErrors: {}, failure: messageOfFailure(error) }
  const fieldIssues = error.issues.filter(({ path }) =>
    ['email', 'name', 'surname', 'role', 'language'].includes(String(path[0])),
  )
  if (fieldIssues.length > 0) {
    const messages = fieldIssues.map(
      ({ path, code, params, message }) => [String(path[0]), issueMessage(code, params, message)] as const,
    )
    return { fieldErrors: Object.fromEntries(messages) }
  }
  if (error.code === 'user.role-not-granted') return { fieldErrors: { role: messageOfFailure(error) } }
  return { fieldErrors: {}, failure: messageOfFailure(error) }
}

export function InviteDialog({ screen, open, onClose }: { screen: Screen; open: boolean; onClose: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const email = useRef<HTMLInputElement>(null)
  const isStaff = screen.resource.name === 'staff'
  const roleName = useTitleOf(resources.roles)
  const roles = useGrantable(leastRoleOf(screen.resource))
  const start: Invitation = {
    email: '',
    name: '',
    surname: '',
    role: null,
    language: useLocale(),
    is_consultant: false,
  }
  const [values, setValues] = useState(start)
  const [isTried, setTried] = useState(false)
  const change = (changes: Partial<Invitation>) => setValues({ ...values, ...changes })
  const leastRole = roles.find(({ type }) => type === leastRoleOf(screen.resource))
  const role = roles.find(({ id }) => id === values.role) ?? leastRole

  const inviteMutation = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('people.invite') }) },
    mutationFn: () => {
      const { email: address, name, surname, language, is_consultant } = values
      const nonEmptyValues = Object.fromEntries(
        Object.entries({ name: name.trim(), surname: surname.trim() }).filter(([, text]) => text !== ''),
      )
      return callRoute('POST /api/users/invite', {
        body: { email: address.trim(), ...nonEmptyValues, ...(role && { role: role.id }), language, is_consultant },
      })
    },
    onSuccess: async () => {
      showToast({ kind: 'success', title: t('account.invite.sent', { email: values.email.trim() }) })
      await cache.invalidateQueries({ queryKey: ['resource'] })
      onClose()
    },
  })
  const issue = validateField(users, 'email', values.email, 'create')
  const emailProblem = isTried && issue ? issueMessage(issue.code, issue.params) : undefined
  const { fieldErrors, failure } = refusalOf(inviteMutation.error)
  const field = (name: Name, control: ReactNode, isRequired = false) => (
    <Field
      label={labelOf(users, name)}
      required={isRequired}
      error={(name === 'email' ? emailProblem : undefined) ?? fieldErrors[name]}
    >
      {control}
    </Field>
  )
  const submitInvitation = () => {
    setTried(true)
    if (issue) email.current?.focus()
    else if (!inviteMutation.isPending) inviteMutation.mutate()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onClosed={() => {
        // The dialog of invitations shows refused or cancelled input again when it reopens, but not input
        // that was sent.
        if (inviteMutation.isSuccess) setValues(start)
        inviteMutation.reset()
        setTried(false)
      }}
      title={t('people.invite')}
      description={t('account.invite.text')}
      initialFocus={email}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" isBusy={inviteMutation.isPending} onClick={() => form.current?.requestSubmit()}>
            {t('account.invite.send')}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submitInvitation()
        }}
      >
        {field(
          'email',
          <Input
            ref={email}
            value={values.email}
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => change({ email: event.target.value })}
          />,
          true,
        )}
        <div className="grid gap-4 md:grid-cols-2">
          {field(
            'name',
            <Input value={values.name} autoComplete="off" onChange={(event) => change({ name: event.target.value })} />,
          )}
          {field(
            'surname',
            <Input
              value={values.surname}
              autoComplete="off"
              onChange={(event) => change({ surname: event.target.value })}
            />,
          )}
        </div>
        {field(
          'role',
          <Select
            value={role?.id ?? null}
            onValueChange={(id) => change({ role: id })}
            choices={roles.map((grantableRole) => ({ value: grantableRole.id, label: roleName(grantableRole) }))}
          />,
        )}
        <div className="grid gap-4 md:grid-cols-2">
          {field(
            'language',
            <Select
              value={values.language}
              onValueChange={(locale) => isLocale(locale) && change({ language: locale })}
              choices={locales.map((locale) => ({ value: locale, label: localeNames[locale] }))}
            />,
          )}
          {isStaff
            ? null
            : field(
                'is_consultant',
                <Switch
                  checked={values.is_consultant}
                  onCheckedChange={(is_consultant) => change({ is_consultant })}
                />,
              )}
        </div>
        {/* Button that lets Enter in a field submit the form. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
        <FailureLine>{failure}</FailureLine>
      </form>
    </Dialog>
  )
}
