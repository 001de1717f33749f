-- 0018-accounts: why an account is blocked, and which roles sign in with a second step.

alter table "users" add column "blocked_reason" varchar(255);
alter table "roles" add column "two_step" boolean not null default false;
alter table "users" drop column "search";
alter table "users" add column "search" text generated always as (coalesce(search_key("username"), '') || E'\x1f' || coalesce(search_key("email"), '') || E'\x1f' || coalesce(search_key("provider"), '') || E'\x1f' || coalesce(search_key("blocked_reason"), '') || E'\x1f' || coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("middlename"), '') || E'\x1f' || coalesce(search_key("surname"), '') || E'\x1f' || coalesce(search_key("phone"), '') || E'\x1f' || coalesce(search_key("address"), '') || E'\x1f' || coalesce(search_key("language"), '') || E'\x1f' || coalesce(search_key("position"), '') || E'\x1f' || coalesce(search_key("about"), '')) stored;
create index "users_search_idx" on "users" using gin ("search" gin_trgm_ops);
