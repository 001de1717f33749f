/** Dialog for the name of a saved view, the roles that share it, and whether it opens by default. */
import { decideAccess, rankOfRole, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callerRoleOf, type CurrentUser, meQuery } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { Field } from '../../ui/inputs/field.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { useViewActions } from './actions.ts'
import { NamingDialog } from './naming-dialog.tsx'
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
  const mayListRoles = me !== undefined && grantForUser(resources.roles, 'list', me) !== false
  const query = resourceQueries(resources.roles).list({ fields: ['type'], pagination: { pageSize: 20 } })
  const { data } = useQuery({ ...query, enabled: isEnabled && mayListRoles })
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
  const [role, setRole] = useState<number>(view?.role?.id ?? 0)
  const [pinned, setPinned] = useState(view?.isPinned ?? false)
  const [roleStandard, setRoleStandard] = useState(view?.roleStandard ?? false)
  const roles = useRoles(list, me, open)
  const isStandardOffered = role !== 0 && maySetStandard(me, view)
  const saveMutation = view ? set : save
  const isTaken = (name: string) =>
    (views?.entries ?? [])
      .map(savedViewOf)
      .some(
        (listedView) =>
          listedView.id !== view?.id &&
          listedView.screen === list.screen.path &&
          listedView.name === name &&
          listedView.owner === me?.id,
      )

  const submit = (name: string) => {
    const standardChoice = maySetStandard(me, view) && { role_standard: role !== 0 && roleStandard }
    const sharing = { role: role || null, ...standardChoice }
    const values = { name, pinned, ...(roles.length > 0 && sharing) }
    if (view) set.mutate({ view, values }, { onSuccess: onClose })
    else save.mutate(values, { onSuccess: onClose })
  }
  return (
    <NamingDialog
      title={t(view ? 'views.settings' : 'views.saveAs')}
      description={view ? undefined : t('views.what')}
      label={t('views.name')}
      name={view?.name ?? ''}
      maxLength={100}
      refusalOf={(name) => (isTaken(name) ? t('views.taken') : undefined)}
      isOpen={open}
      saveMutation={saveMutation}
      onSave={submit}
      onClose={onClose}
    >
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
    </NamingDialog>
  )
}

function TickBox({
  label,
  checked,
  onChange,
}: {
  label: string
  checked: boolean
  onChange: (isChecked: boolean) => void
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
