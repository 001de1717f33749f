import { defineResource } from '../../declaration/define-resource.ts'
import { countOf } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, yesNoField } from '../../fields/value-kinds.ts'
import { roleTypes } from '../../access/access.ts'

/** The five fixed roles of requirements §6. */
export const roles = defineResource({
  name: 'roles',
  wire: 'roles',
  title: 'name',
  titleChoice: 'type',
  fixedRows: true,
  flatPath: 'users-permissions/roles',
  card: ['name', 'description', 'type', 'createdAt', 'updatedAt'],
  fields: {
    name: text({ required: true, message: 'validation.name' }),
    description: text(),
    type: choiceOf(roleTypes, { required: true, unique: true, readOnly: true }),
    // Whether users with this role sign in with a second step (docs/security.md).
    two_step: yesNoField({ default: false }),
    nb_users: countOf('users', 'role'),
  },
  access: { read: 'admin', update: 'super-admin' },
})
