/** The dialog that joins conditions with "and" and "or", in two levels. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { type Filter, filtersOfCaller } from '../../../fields/filters/filter.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { BuilderGroup } from './builder-group.tsx'
import { draftsOf, newGroup, newLeaf, conditionTreeOf } from './builder-tree.ts'
import { readWhere, writeWhere } from './where.ts'
import { setSearch } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

interface BuilderDialogProps {
  list: ResourceList
  open: boolean
  onClose: () => void
}

export function BuilderDialog({ list, open, onClose }: BuilderDialogProps) {
  const { data: me } = useQuery(meQuery)
  const { resource } = list.screen
  // Language filters are separate query parameters, so the builder cannot join them (contract §8).
  const filters = me
    ? filtersOfCaller(resource, callerRoleOf(me)).filter(
        ({ kind, name }) => kind !== 'language' && !(name in list.query.rows),
      )
    : []
  const [firstFilter] = filters
  return open && firstFilter ? <Builder list={list} filters={filters} first={firstFilter} onClose={onClose} /> : null
}

interface BuilderProps {
  list: ResourceList
  filters: readonly Filter[]
  first: Filter
  onClose: () => void
}

function Builder({ list, filters, first, onClose }: BuilderProps) {
  const t = useT()
  const { resource } = list.screen
  const [tree, setTree] = useState(() => {
    const conditionTree = readWhere(list.query.search.where ?? '', (_name, text) => text)
    return conditionTree ? draftsOf(resource, conditionTree) : newGroup('and', [newLeaf(first)])
  })
  const [isSubmitted, setSubmitted] = useState(false)
  const [isOpen, setOpen] = useState(true)
  const frame = useRef<HTMLDivElement>(null)
  const closeDialog = () => setOpen(false)
  const applyConditions = () => {
    const conditionTree = conditionTreeOf(resource, tree)
    if (conditionTree === 'unsaid') {
      setSubmitted(true)
      frame.current?.querySelector<HTMLElement>('[data-unsaid] button, [data-unsaid] input')?.focus()
      return
    }
    list.go(setSearch(list, { where: conditionTree.items.length > 0 ? writeWhere(conditionTree) : undefined }))
    closeDialog()
  }
  return (
    <Dialog
      isWide
      open={isOpen}
      onOpenChange={setOpen}
      onClosed={onClose}
      title={t('views.builder')}
      actions={
        <>
          <Button onClick={closeDialog}>{t('action.cancel')}</Button>
          <Button kind="primary" onClick={applyConditions}>
            {t('action.apply')}
          </Button>
        </>
      }
    >
      <div ref={frame}>
        <BuilderGroup
          resource={resource}
          filters={filters}
          first={first}
          group={tree}
          isSubmitted={isSubmitted}
          onChange={setTree}
        />
      </div>
    </Dialog>
  )
}
