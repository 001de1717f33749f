-- 0016-add-views-for-roles: generated from the model; read it before it is committed.

alter table "listviews" add column "role_standard" boolean not null default false;
