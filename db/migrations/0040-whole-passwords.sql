-- Passwords were cut after 56 characters when they were chosen. Longer ones are refused now, and what is typed at sign-in
-- is compared whole, except with a password from before. New passwords are written with false.
alter table credentials add column may_be_cut boolean not null default true;
