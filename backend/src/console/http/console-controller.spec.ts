import { VERSION_NEUTRAL } from '@nestjs/common';
import { VERSION_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { CONSOLE_CONTROLLERS } from '../console.controllers.ts';

it.each(CONSOLE_CONTROLLERS.map((controller) => [controller.name, controller] as const))(
  'gives the paths of %s no version',
  (_, controller) => {
    expect(new Reflector().get<unknown>(VERSION_METADATA, controller)).toBe(VERSION_NEUTRAL);
  },
);
