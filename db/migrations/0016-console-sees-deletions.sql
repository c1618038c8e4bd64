-- Operators do not find members who have deleted their account.
grant select (deleted_at) on members to dineback_console;
