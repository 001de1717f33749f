/** Dialog for the name of a saved view, the roles that share it, and whether it opens by default. */
import { decideAccess, rankOfRole, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callerRoleOf, type CurrentUser, meQuery } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { useViewActions } from './actions.ts'
import { type SavedView, savedViewOf, viewsQuery } from './view.ts'
import { grantForUser } from '../use-may.ts'
import type { ResourceList } from '../list/use-resource-list.ts'

interface ViewDialogProps {
  list: ResourceList
  /** Saved view to change; a new view when absent. */
  view: SavedView | undefined
  open: boolean
  onClose: () => void
}

/** Roles that a view of this list can be shared with: those that see the list, up to the user's own. */
function useRoles(list: ResourceList, me: CurrentUser | undefined, isEnabled: boolean) {
  const may = me !== undefined && grantForUser(resources.roles, 'list', me) !== false
  const query = resourceQueries(resources.roles).list({ fields: ['type'], pagination: { pageSize: 20 } })
  const { data } = useQuery({ ...query, enabled: isEnabled && may })
  const types = (data?.entries ?? []).flatMap(({ id, type }) => {
    const roleType = savedViewOf({ id: 0, role: { id, type } }).role
    return roleType ? [roleType] : []
  })
  return types
    .filter(({ type }) => me && rankOfRole(type) <= rankOfRole(callerRoleOf(me).role) && type !== 'public')
    .filter(
      ({ type }) => decideAccess(list.screen.resource.access, 'list', { role: type, isConsultant: false }) !== false,
    )
    .toSorted((one, other) => rankOfRole(one.type) - rankOfRole(other.type))
}

/** Whether the user may decide which view opens by default for others. */
function maySetStandard(me: CurrentUser | undefined, view: SavedView | undefined): boolean {
  const grant = me !== undefined && grantForUser(resources.listviews, view ? 'update' : 'create', me)
  return grant === true || (grant !== false && (grant.fields?.includes('role_standard') ?? true))
}

export function ViewDialog({ list, view, open, onClose }: ViewDialogProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const { data: views } = useQuery({ ...viewsQuery, enabled: open })
  const { save, set } = useViewActions(list, true)
  const [name, setName] = useState(view?.name ?? '')
  const [role, setRole] = useState<number>(view?.role?.id ?? 0)
  const [pinned, setPinned] = useState(view?.isPinned ?? false)
  const [roleStandard, setRoleStandard] = useState(view?.roleStandard ?? false)
  const [isSubmitted, setSubmitted] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const roles = useRoles(list, me, open)
  const isStandardOffered = role !== 0 && maySetStandard(me, view)
  const usedMutation = view ? set : save
  const missing = name.trim() === ''
  const isTaken = (views?.entries ?? [])
    .map(savedViewOf)
    .some(
      (one) =>
        one.id !== view?.id && one.screen === list.screen.path && one.name === name.trim() && one.owner === me?.id,
    )

  const submitView = () => {
    setSubmitted(true)
    if (missing || isTaken) return input.current?.focus()
    const standardChoice = maySetStandard(me, view) && { role_standard: role !== 0 && roleStandard }
    const shared = { role: role || null, ...standardChoice }
    const values = { name: name.trim(), pinned, ...(roles.length > 0 && shared) }
    if (view) set.mutate({ view, values }, { onSuccess: onClose })
    else save.mutate(values, { onSuccess: onClose })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t(view ? 'views.settings' : 'views.saveAs')}
      {...(view ? {} : { description: t('views.what') })}
      initialFocus={input}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" isBusy={usedMutation.isPending} onClick={submitView}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submitView()
        }}
      >
        <Field
          label={t('views.name')}
          required
          error={isSubmitted && missing ? t('validation.name') : isTaken ? t('views.taken') : undefined}
        >
          <Input ref={input} value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </Field>
        {roles.length > 0 ? (
          <Field label={t('views.sharedWith')} help={t('views.sharedHelp')}>
            <Select
              value={role}
              onValueChange={setRole}
              choices={[
                { value: 0, label: t('views.private') },
                ...roles.map(({ id, type }) => ({
                  value: id,
                  label: t('views.roleAndAbove', { role: t(`roles.values.type.${type}`) }),
                })),
              ]}
            />
          </Field>
        ) : null}
        {isStandardOffered ? (
          <TickBox label={t('views.roleStandard')} checked={roleStandard} onChange={setRoleStandard} />
        ) : null}
        <TickBox label={t('views.pin')} checked={pinned} onChange={setPinned} />
        <FailureLine>{usedMutation.error ? messageOfFailure(usedMutation.error) : undefined}</FailureLine>
      </form>
    </Dialog>
  )
}

function TickBox({
  label,
  checked,
  onChange,
}: {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 max-md:min-h-11">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="check shrink-0"
      />
      {label}
    </label>
  )
}
