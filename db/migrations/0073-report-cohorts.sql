-- Retention: of the members whose first dine was in a month (the cohort), how many had a dine in a later one. Written once,
-- when the later month is over.
create table report_cohorts (
  partner_id text not null,
  cohort date not null,
  month date not null check (month >= cohort),
  -- Not shown.
  members bigint not null,
  -- In whole tens; null for one to nine.
  shown bigint,
  primary key (partner_id, cohort, month)
);
call enable_tenant_isolation('report_cohorts');
grant select, insert on report_cohorts to dineback_app;

-- Where the dines and rewards of a finished month come from: one restaurant, one bonus, reservations, what operators gave,
-- or all others together, so that each row is about ten people or more. Written once.
create table report_origins (
  id bigint generated always as identity unique,
  partner_id text not null,
  month date not null,
  kind text not null check (kind in ('restaurant', 'bonus', 'reservation', 'operators', 'others')),
  -- The id of the restaurant or the code of the bonus; empty for the other kinds.
  origin text not null,
  dines bigint not null,
  spend bigint not null,
  rewards bigint not null,
  -- In whole tens.
  members bigint not null,
  primary key (partner_id, month, kind, origin)
);
call enable_tenant_isolation('report_origins');
grant select, insert on report_origins to dineback_app;

create view program_retention with (security_invoker = true) as
  select partner_id, cohort, month, shown as members from report_cohorts;
create view program_origins with (security_invoker = true) as
  select id, partner_id, month, kind, origin, dines, spend, rewards, members from report_origins;
grant select on program_retention, program_origins to dineback_app;
