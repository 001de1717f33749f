-- The trash is read newest first: what deletes of a resource left behind to be brought back.
create index revisions_trash_idx on revisions (resource, created_at) where operation = 'remove' and kept is not null;
